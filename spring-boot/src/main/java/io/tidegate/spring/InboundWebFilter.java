package io.tidegate.spring;

import io.tidegate.spring.InboundLimit.Place;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** The limit on the reactive stack. */
final class InboundWebFilter implements WebFilter, Ordered {
    private final InboundLimit limit;

    InboundWebFilter(InboundLimit limit) {
        this.limit = limit;
    }

    @Override
    public int getOrder() {
        return InboundLimit.ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!limit.applies(exchange.getRequest().getPath().pathWithinApplication())) {
            return chain.filter(exchange);
        }
        return Mono.defer(() -> {
            Place place = limit.enter();
            return place == null
                    ? ReactiveAnswer.send(InboundLimit.FULL, exchange.getResponse())
                    : answer(place, exchange, chain);
        });
    }

    /* The status is asked for while the response is there: by the end a container may have given it to others. */
    private static Mono<Void> answer(Place place, ServerWebExchange exchange, WebFilterChain chain) {
        AtomicInteger status = new AtomicInteger();
        exchange.getResponse().beforeCommit(() -> {
            HttpStatusCode code = exchange.getResponse().getStatusCode();
            status.set(code == null ? 0 : code.value());
            return Mono.empty();
        });
        return chain.filter(exchange)
                .doOnError(error -> place.leave(0, error))
                .doOnCancel(() -> place.leave(0, new CancellationException()))
                .doFinally(end -> place.leave(status.get(), null));
    }
}

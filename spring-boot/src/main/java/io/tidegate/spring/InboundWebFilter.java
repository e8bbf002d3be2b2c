package io.tidegate.spring;

import io.tidegate.spring.InboundLimit.Permit;
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
            Permit permit = limit.enter();
            return permit == null
                    ? ReactiveAnswer.send(InboundLimit.FULL, exchange.getResponse())
                    : answer(permit, exchange, chain);
        });
    }

    /* Reads the status while the response is there: at the end a container may have reused it. */
    private static Mono<Void> answer(Permit permit, ServerWebExchange exchange, WebFilterChain chain) {
        AtomicInteger status = new AtomicInteger();
        exchange.getResponse().beforeCommit(() -> {
            HttpStatusCode code = exchange.getResponse().getStatusCode();
            status.set(code == null ? 0 : code.value());
            return Mono.empty();
        });
        return chain.filter(exchange)
                .doOnError(error -> permit.leave(0, error))
                .doOnCancel(() -> permit.leave(0, new CancellationException()))
                .doFinally(end -> permit.leave(status.get(), null));
    }
}

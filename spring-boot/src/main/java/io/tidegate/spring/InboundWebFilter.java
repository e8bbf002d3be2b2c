package io.tidegate.spring;

import io.tidegate.spring.InboundLimit.Place;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
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
            return place == null ? refuse(exchange.getResponse()) : answer(place, exchange, chain);
        });
    }

    private static Mono<Void> refuse(ServerHttpResponse response) {
        response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
        response.getHeaders().set("Retry-After", InboundLimit.RETRY_AFTER);
        response.getHeaders().setContentType(MediaType.parseMediaType(InboundLimit.CONTENT_TYPE));
        DataBuffer body = response.bufferFactory().wrap(InboundLimit.BODY.getBytes(StandardCharsets.UTF_8));
        return response.writeWith(Mono.just(body));
    }

    private static Mono<Void> answer(Place place, ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange)
                .doOnError(error -> place.leave(0, error))
                .doOnCancel(() -> place.leave(0, new CancellationException()))
                .doFinally(end -> {
                    HttpStatusCode status = exchange.getResponse().getStatusCode();
                    place.leave(status == null ? 0 : status.value(), null);
                });
    }
}

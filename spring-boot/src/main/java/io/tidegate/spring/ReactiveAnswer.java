package io.tidegate.spring;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Refuses a request on the reactive stack. */
final class ReactiveAnswer {
    private ReactiveAnswer() {}

    static Mono<Void> send(BusyAnswer answer, ServerHttpResponse response) {
        response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
        response.getHeaders().set("Retry-After", answer.retryAfter());
        response.getHeaders().setContentType(MediaType.parseMediaType(BusyAnswer.CONTENT_TYPE));
        DataBuffer body = response.bufferFactory().wrap(answer.body());
        return response.writeWith(Mono.just(body));
    }
}

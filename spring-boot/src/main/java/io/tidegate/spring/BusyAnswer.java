package io.tidegate.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.Refusal;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/**
 * What a caller gets who is refused: 503, {@code Retry-After}, and a problem with the code.
 *
 * @param code of the refusal: letters, digits and underscores
 * @param retryAfterSeconds at least 1
 */
record BusyAnswer(String code, String detail, long retryAfterSeconds) {
    static final int STATUS = 503;
    private static final String CONTENT_TYPE = "application/problem+json";

    /** Names of parts are not told: they are nobody's business outside. */
    static BusyAnswer of(Refusal refusal) {
        Duration wait = refusal.retryAfter();
        long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
        return new BusyAnswer(refusal.code(), "The service cannot do this now.", Math.max(1, seconds));
    }

    private byte[] body() {
        return """
                {"type":"about:blank","title":"Service Unavailable","status":503,"detail":"%s","code":"%s"}""".formatted(detail, code).getBytes(UTF_8);
    }

    /** Sends it on the servlet stack. A class for each stack, as an application has only one of them on board. */
    static final class OnServlet {
        private OnServlet() {}

        static void send(BusyAnswer answer, HttpServletResponse response) throws IOException {
            response.setStatus(STATUS);
            response.setHeader("Retry-After", Long.toString(answer.retryAfterSeconds));
            response.setContentType(CONTENT_TYPE);
            response.getOutputStream().write(answer.body());
        }
    }

    /** Sends it on the reactive stack. */
    static final class OnReactive {
        private OnReactive() {}

        static Mono<Void> send(BusyAnswer answer, ServerHttpResponse response) {
            response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
            response.getHeaders().set("Retry-After", Long.toString(answer.retryAfterSeconds));
            response.getHeaders().setContentType(MediaType.parseMediaType(CONTENT_TYPE));
            DataBuffer body = response.bufferFactory().wrap(answer.body());
            return response.writeWith(Mono.just(body));
        }
    }
}

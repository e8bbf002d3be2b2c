package io.tidegate.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.Refusal;
import java.time.Duration;

/**
 * The answer to a refused request: 503, {@code Retry-After}, and a problem with the code. A class for each stack sends
 * it, because the classes of the other stack may be missing.
 *
 * @param code the code of the refusal: letters, digits and underscores
 * @param retryAfterSeconds at least 1
 */
record BusyAnswer(String code, String detail, long retryAfterSeconds) {
    static final int STATUS = 503;
    static final String CONTENT_TYPE = "application/problem+json";

    /** Makes an answer that does not reveal names of parts. */
    static BusyAnswer of(Refusal refusal) {
        Duration wait = refusal.retryAfter();
        long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
        return new BusyAnswer(refusal.code(), "The service cannot do this now.", Math.max(1, seconds));
    }

    byte[] body() {
        return """
                {"type":"about:blank","title":"Service Unavailable","status":503,\
                "detail":"%s","code":"%s"}""".formatted(detail, code).getBytes(UTF_8);
    }

    String retryAfter() {
        return Long.toString(retryAfterSeconds);
    }
}

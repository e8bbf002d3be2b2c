package io.tidegate;

import java.io.Serial;
import java.time.Duration;

/**
 * The answer to a new key when the limit of keys is reached and no instance can be dropped. Nothing was made. Has no
 * stack trace.
 */
public final class TooManyKeysException extends RuntimeException implements Refusal {
    /** The stable code of this refusal: {@value}. */
    public static final String CODE = "KY_ERR_TOO_MANY_KEYS";

    @Serial
    private static final long serialVersionUID = 1L;

    private final String keysName;

    TooManyKeysException(String keysName, int maxKeys) {
        super("keys '" + keysName + "' are full: " + maxKeys + " in use", null, false, false);
        this.keysName = keysName;
    }

    /** Returns {@link #CODE}. */
    @Override
    public String code() {
        return CODE;
    }

    /** Returns the name of the {@code PerKey} that is full. */
    @Override
    public String source() {
        return keysName;
    }

    /** Returns {@link Duration#ZERO}: when an instance can be dropped is not known. */
    @Override
    public Duration retryAfter() {
        return Duration.ZERO;
    }
}

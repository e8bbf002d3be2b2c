package io.tidegate.ops;

import java.io.Serial;

/** The store could not be reached. */
final class NotReached extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    NotReached(String message, Throwable cause) {
        super(message, cause);
    }
}

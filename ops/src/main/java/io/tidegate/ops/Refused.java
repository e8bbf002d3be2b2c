package io.tidegate.ops;

import java.io.Serial;

/** What was asked for is not there, or was not confirmed. Nothing has changed. */
final class Refused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    Refused(String message) {
        super(message);
    }
}

package io.tidegate.ops;

import java.io.Serial;

/** The domain or offset of the command does not exist, or the operator did not confirm. Nothing has changed. */
final class Refused extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    Refused(String message) {
        super(message);
    }
}

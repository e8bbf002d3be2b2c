package io.tidegate.ops;

import java.io.Serial;

/** The command line is wrong. Nothing was done. */
final class Misuse extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    Misuse(String message) {
        super(message);
    }
}

package io.tidegate.peers;

import java.io.Serial;

/** What calls fail with, and the rule that all breakers are given. */
final class Failures {
    /** A failure like any other. */
    static final class Plain extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    /** Must not be counted. */
    static final class Ignored extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    /** Makes the rule throw. */
    static final class Puzzling extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    /** What the rule throws. */
    static final class RuleBroke extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    private Failures() {}

    static boolean isIgnored(Throwable error) {
        return error instanceof Ignored;
    }

    static boolean isFailure(Throwable error) {
        if (error instanceof Puzzling) {
            throw new RuleBroke();
        }
        return !isIgnored(error);
    }
}

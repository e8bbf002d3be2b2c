package io.tidegate.peers;

import java.io.Serial;

/** The exceptions of the calls, and the rule that every breaker gets. */
final class Failures {
    /** A failure like any other. */
    static final class Plain extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    /** Must not count. */
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

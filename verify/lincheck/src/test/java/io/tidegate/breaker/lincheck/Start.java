package io.tidegate.breaker.lincheck;

/** The state at the start of a check. Without it most random scenarios would never leave the closed state. */
enum Start {
    /** Two calls are under way. */
    CLOSED {
        @Override
        void play(Callers callers) {
            callers.begin(0);
            callers.begin(1);
        }
    },

    /** The open time is over; a call that was admitted before the breaker opened is under way. */
    TIME_IS_OVER {
        @Override
        void play(Callers callers) {
            callers.begin(1);
            trip(callers);
            callers.tick();
        }
    },

    /** The first probe is under way, and so is a call that was admitted before the breaker opened. */
    HALF_OPEN {
        @Override
        void play(Callers callers) {
            TIME_IS_OVER.play(callers);
            callers.begin(0);
        }
    },

    /** Only the first probe is under way. */
    ONE_PROBE {
        @Override
        void play(Callers callers) {
            trip(callers);
            callers.tick();
            callers.begin(0);
        }
    },

    /** The open time is over once more. A probe of the previous half-open period, which had two, is under way. */
    LATE_PROBE {
        @Override
        void play(Callers callers) {
            trip(callers);
            callers.tick();
            callers.begin(0);
            callers.begin(1);
            callers.fail(0);
            callers.tick();
        }
    };

    abstract void play(Callers callers);

    private static void trip(Callers callers) {
        for (int i = 0; i < Setting.current.failuresToTrip(); i++) {
            callers.begin(0);
            callers.fail(0);
        }
    }
}

package io.tidegate.guard.broken;

import io.tidegate.guard.LimitOnThread;
import java.util.concurrent.atomic.AtomicBoolean;

/** Time limits with one fault each. */
public enum BrokenLimit implements LimitOnThread.Factory {
    /** The interrupt comes after the decision, in a step of its own: the call may be over by then. */
    LATE_INTERRUPT {
        @Override
        public LimitOnThread enter() {
            return new LimitOnThread() {
                private final Thread thread = Thread.currentThread();
                private final AtomicBoolean decided = new AtomicBoolean();

                @Override
                public void fire() {
                    if (decided.compareAndSet(false, true)) {
                        Thread.yield();
                        thread.interrupt();
                    }
                }

                @Override
                public boolean leave() {
                    boolean late = !decided.compareAndSet(false, true);
                    if (late) {
                        Thread.interrupted();
                    }
                    return late;
                }
            };
        }
    }
}

package io.tidegate.guard;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps the places of an attempt that are bound to operations until the last operation inside of it has ended. */
final class Holding extends AtomicInteger {
    /*
     * Counts the operations that run, one more while the attempt itself is under way, and one for each attempt inside
     * that has a holding of its own. Who brings it to zero leaves the places. From there on nothing can be counted any
     * more, and so nothing begins: the attempt is over.
     */
    private static final long serialVersionUID = 1L;

    private final transient Attempt<?> attempt;
    private final transient @Nullable Holding outer;

    Holding(Attempt<?> attempt, @Nullable Holding outer) {
        super(1);
        this.attempt = attempt;
        this.outer = outer;
    }

    /** The attempt begins: whether it may. */
    boolean begin() {
        return outer == null || outer.tryRetain();
    }

    /** An operation begins: whether it may. */
    boolean tryRetain() {
        for (int seen = get(); seen > 0; seen = get()) {
            if (compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Something that was counted has ended, as said. */
    void release(@Nullable Object value, @Nullable Throwable error) {
        if (decrementAndGet() == 0) {
            attempt.leaveBound(value, error);
            releaseOuter(value, error);
        }
    }

    /** The attempt ends: whether nothing else was counted, so that it can leave all places itself. */
    boolean tryDrain() {
        return compareAndSet(1, 0);
    }

    /** The attempt has ended. */
    void end(boolean drained, @Nullable Throwable error) {
        if (drained) {
            releaseOuter(null, error);
        } else {
            release(null, error);
        }
    }

    private void releaseOuter(@Nullable Object value, @Nullable Throwable error) {
        if (outer != null) {
            outer.release(value, error);
        }
    }
}

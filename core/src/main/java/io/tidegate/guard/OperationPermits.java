package io.tidegate.guard;

import io.tidegate.gate.Gate.Verdict;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The permits of an attempt that operations hold: they go back when the last operation inside the attempt has ended.
 */
final class OperationPermits extends AtomicInteger {
    /*
     * Counts the running operations, one more while the attempt itself is under way, and one for each attempt inside
     * that has such permits of its own. The thread that brings the count to zero gives the permits back. From then on
     * nothing can be counted, so nothing begins: the attempt is over.
     *
     * An operation that never ends keeps this object alive. So this object refers to the permits, and not to the
     * attempt, which refers to much else.
     */
    private static final long serialVersionUID = 1L;

    private final transient Layer[] layers;
    private final int from;
    private final transient long[] stamps;
    private final transient @Nullable AsyncPass @Nullable [] passes;
    private final transient @Nullable OperationPermits outer;
    private int entered; // written before the attempt's own count is given up

    /** @param from the first of the attempt's layers */
    OperationPermits(
            Layer[] layers,
            int from,
            long[] stamps,
            @Nullable AsyncPass @Nullable [] passes,
            @Nullable OperationPermits outer) {
        super(1);
        this.layers = layers;
        this.from = from;
        this.stamps = stamps;
        this.passes = passes;
        this.outer = outer;
    }

    /** Counts this attempt in the one around it. Returns whether the attempt may begin. */
    boolean begin() {
        return outer == null || outer.tryRetain();
    }

    /** Counts one more operation or attempt inside. Returns whether it may begin. */
    boolean tryRetain() {
        for (int seen = get(); seen > 0; seen = get()) {
            if (compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
        return false;
    }

    /** An operation or attempt that was counted has ended, with this value or error. */
    void release(@Nullable Object value, @Nullable Throwable error) {
        if (decrementAndGet() == 0) {
            leave(value, error);
            releaseOuter(value, error);
        }
    }

    private void leave(@Nullable Object value, @Nullable Throwable error) {
        for (int i = entered - 1; i >= 0; i--) {
            AsyncPass pass = passes == null ? null : passes[i];
            if (pass != null) {
                pass.endOperation(error);
            } else if (layers[from + i] instanceof Layer.Immediate immediate
                    && immediate.gate().bindsToOperation()) {
                immediate.gate().leave(stamps[i], value, error, Verdict.JUDGED);
            }
        }
    }

    /**
     * Called when the attempt ends. Returns whether nothing else is counted, so that the attempt can leave all its
     * layers itself.
     */
    boolean tryDrain() {
        return compareAndSet(1, 0);
    }

    /** Called when the attempt has ended, and has left the layers that it could leave. */
    void end(boolean drained, int layersEntered, @Nullable Throwable error) {
        entered = layersEntered;
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

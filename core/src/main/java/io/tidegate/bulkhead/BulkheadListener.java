package io.tidegate.bulkhead;

import org.jspecify.annotations.Nullable;

/**
 * Callbacks of a bulkhead, on the thread that causes them and with no lock held.
 *
 * <p>A callback may throw, block or submit again: what it throws is dropped, and neither the accounting nor any result
 * changes. A callback that blocks holds back its call: {@link #onReleased} holds back the end of the returned future.
 *
 * <p>Implementations must be safe for use by many threads at once.
 */
public interface BulkheadListener {
    /** A permit was taken; the supplier has not run yet. */
    default void onAdmitted() {}

    /** A submission was refused; its supplier does not run. */
    default void onRejected() {}

    /**
     * A permit was given back; called once for each admission, before the returned future is seen as done.
     *
     * <p>Under {@link PermitLifetime#OPERATION} the kind is that of the operation's end, which may come after the end
     * of the returned future.
     *
     * @param kind how the submission ended
     * @param errorOrNull the error it ended with, {@code null} for {@link TerminalKind#SUCCESS}
     */
    default void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {}
}

package io.tidegate.guard;

import io.tidegate.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of a guard, on the thread that causes them, with no lock held. A callback may throw, block or call the
 * guard again: what it throws is dropped, and no result changes. A callback that blocks holds back its call.
 * Implementations must be safe for use by many threads at once. Errors come without the {@code CompletionException}s
 * that stages put around them.
 */
public interface GuardListener {
    /** An attempt was refused, by a layer or from inside the call. */
    default void onRefused(Refusal refusal) {}

    /**
     * Another attempt comes after a pause. If the call ends in the pause, by a limit, an interrupt or its caller, that
     * attempt does not come, and {@link GuardStats#retries()} does not count it.
     *
     * @param attempt its number, from 2
     * @param causeOrNull what the attempt before ended with; {@code null}: its value is the cause
     * @param delay the pause
     */
    default void onRetry(int attempt, @Nullable Throwable causeOrNull, Duration delay) {}

    /**
     * Another attempt starts beside those that run.
     *
     * @param attempt its number, from 2
     */
    default void onHedge(int attempt) {}

    /**
     * A call ended; every layer has been left. Called before the end of a stage can be seen.
     *
     * @param nanos how long it took
     */
    default void onEnd(Outcome<?> outcome, long nanos) {}
}

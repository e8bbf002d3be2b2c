package io.tidegate;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds permits that do not come back. A part with a watch records, for all that is in flight, when and by which thread
 * it was admitted. It reports the age of the oldest, and each holder that is older than the limit, once.
 *
 * <pre>{@code
 * AsyncBulkhead.builder(64).watch(HolderWatch.olderThan(Duration.ofSeconds(30)).owner(() -> MDC.get("user")))
 * }</pre>
 *
 * @param olderThan holders older than this are reported
 * @param owner names the owner, on the thread that is admitted; if it throws or returns null, the owner is empty
 * @param stackOneIn the stack of one in this many admissions is kept; 1: of all
 * @param listener gets each reported holder, on a thread of the library; may block and throw
 */
public record HolderWatch(
        Duration olderThan, Supplier<String> owner, int stackOneIn, Consumer<? super Holder> listener) {
    /** The stack of one in this many admissions is kept, unless set: {@value}. */
    public static final int DEFAULT_STACK_ONE_IN = 64;

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if the time or the number is not positive
     */
    public HolderWatch {
        if (requireNonNull(olderThan, "olderThan").isNegative() || olderThan.isZero()) {
            throw new IllegalArgumentException("olderThan: " + olderThan + " (expected: positive)");
        }
        requireNonNull(owner, "owner");
        if (stackOneIn < 1) {
            throw new IllegalArgumentException("stackOneIn: " + stackOneIn + " (expected: >= 1)");
        }
        requireNonNull(listener, "listener");
    }

    /**
     * A watch without owners, which writes a warning to the system's logger {@code io.tidegate}.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public static HolderWatch olderThan(Duration olderThan) {
        return new HolderWatch(olderThan, () -> "", DEFAULT_STACK_ONE_IN, HolderWatch::warn);
    }

    private static void warn(Holder holder) {
        System.getLogger("io.tidegate").log(System.Logger.Level.WARNING, holder);
    }

    /** The same with another {@code owner}. */
    public HolderWatch owner(Supplier<String> owner) {
        return new HolderWatch(olderThan, owner, stackOneIn, listener);
    }

    /** The same with another {@code stackOneIn}. */
    public HolderWatch stackOneIn(int stackOneIn) {
        return new HolderWatch(olderThan, owner, stackOneIn, listener);
    }

    /** The same with another {@code listener}. */
    public HolderWatch listener(Consumer<? super Holder> listener) {
        return new HolderWatch(olderThan, owner, stackOneIn, listener);
    }
}

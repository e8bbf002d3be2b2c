package io.tidegate;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds those who do not give back what they hold. A part with such a watch keeps, for all that is in flight, since
 * when and by whom; it tells the age of the oldest, and once of each that is held for too long.
 *
 * <pre>{@code
 * AsyncBulkhead.builder(64).watch(HolderWatch.olderThan(Duration.ofSeconds(30)).owner(() -> MDC.get("user")))
 * }</pre>
 *
 * @param olderThan what is held for longer than this is told
 * @param owner asked on the thread that is let in, for whom it is; what it throws or leaves null is empty
 * @param stackOneIn of one in so many that are let in the stack is kept; 1: of all
 * @param listener is told, on a thread of the library; may block and throw
 */
public record HolderWatch(
        Duration olderThan, Supplier<String> owner, int stackOneIn, Consumer<? super Holder> listener) {
    /** Of how many that are let in one's stack is kept, unless set: {@value}. */
    public static final int DEFAULT_STACK_ONE_IN = 64;

    /**
     * Checks what it is given.
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
     * A watch that writes a warning to the system's logger {@code io.tidegate} and knows no owners.
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

package io.tidegate.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A gate that counts the threads inside, admits none once it is closed, and reports when the last one has left. */
final class StopGate {
    private static final long CLOSED = 1;
    private static final long ONE_INSIDE = 2;

    private final AtomicLong word = new AtomicLong();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();

    /** Enters, if the gate is open. Returns whether it was; {@link #leave} must follow then. */
    boolean enter() {
        long seen;
        do {
            seen = word.get();
            if ((seen & CLOSED) != 0) {
                return false;
            }
        } while (!word.compareAndSet(seen, seen + ONE_INSIDE));
        return true;
    }

    /** Counts one more inside, whether the gate is open or not; the calling thread must be inside. */
    void enterToo() {
        word.addAndGet(ONE_INSIDE);
    }

    /**
     * Enters, if the gate is open or another thread is inside. Returns whether it did; {@link #leave} must follow then.
     */
    boolean enterUnlessEmpty() {
        long seen;
        do {
            seen = word.get();
            if (seen == CLOSED) {
                return false;
            }
        } while (!word.compareAndSet(seen, seen + ONE_INSIDE));
        return true;
    }

    void leave() {
        if (word.addAndGet(-ONE_INSIDE) == CLOSED) {
            empty.complete(null);
        }
    }

    void close() {
        if (word.getAndUpdate(seen -> seen | CLOSED) == 0) {
            empty.complete(null);
        }
    }

    boolean isClosed() {
        return (word.get() & CLOSED) != 0;
    }

    /** Completes when the gate is closed and empty. */
    CompletionStage<Void> empty() {
        return empty.minimalCompletionStage();
    }
}

package io.tidegate.peers;

import io.tidegate.peers.Composition.Parts;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The situations of several parts around a call, in the order of the table's rows. */
enum CompositionProbe implements Situation {
    CANCELLED(Parts.BREAKER_AND_BULKHEAD, "Breaker, bulkhead: the result is cancelled while the operation runs") {
        @Override
        Finding on(Composition parts) {
            CompletableFuture<String> cancelled = parts.submit(CompletableFuture::new);
            cancelled.cancel(false);
            boolean free = runs(parts);
            return Finding.of(free, free ? "the permit is free" : "the permit stays taken");
        }
    },

    INNER_REFUSAL(Parts.BREAKER_AND_BULKHEAD, "Breaker, bulkhead: the bulkhead is full and refuses") {
        @Override
        Finding on(Composition parts) {
            while (!parts.submit(CompletableFuture::new).isCompletedExceptionally()) {
                // one permit, and a queue if the library demands one
            }
            boolean open = parts.isOpen();
            return Finding.of(!open, open ? "the breaker counts it, and opens" : "the breaker counts nothing");
        }
    },

    TIME_LIMIT(Parts.LIMIT_AND_BREAKER, "Time limit, breaker: the operation hangs") {
        @Override
        Finding on(Composition parts) throws Exception {
            CompletableFuture<String> limited = parts.submit(CompletableFuture::new);
            try {
                limited.get(1, TimeUnit.MINUTES);
            } catch (ExecutionException expected) {
                boolean counted = isOpenSoon(parts);
                return Finding.of(counted, "the breaker counts " + (counted ? "a failure" : "nothing"));
            } catch (TimeoutException late) {
                return Finding.of(false, "the limit does not end it");
            }
            return Finding.of(false, "the caller gets a value");
        }
    },

    INTERRUPT(Parts.LIMIT, "Time limit, on the caller's thread: the call ends late, still interrupted") {
        @Override
        Finding on(Composition parts) {
            Thread caller = Thread.currentThread();
            AtomicBoolean elsewhere = new AtomicBoolean();
            try {
                String unused = parts.call(() -> {
                    elsewhere.set(!caller.equals(Thread.currentThread()));
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    return "late";
                });
                return Finding.of(false, "the caller gets the late value");
            } catch (Exception timedOut) {
                boolean left = Thread.interrupted();
                String where = elsewhere.get() ? "; calls on another thread" : "";
                return Finding.of(!left, (left ? "the caller stays interrupted" : "no interrupt is left") + where);
            } finally {
                Thread.interrupted();
            }
        }
    },

    STORM(Parts.RETRY, "Retry, three attempts: 1,000 calls fail") {
        @Override
        Finding on(Composition parts) {
            AtomicInteger attempts = new AtomicInteger();
            for (int i = 0; i < CALLS; i++) {
                try {
                    String unused = parts.call(() -> {
                        attempts.incrementAndGet();
                        throw new Failures.Plain();
                    });
                } catch (Exception expected) {
                    // each call fails
                }
            }
            return Finding.of(attempts.get() < 2 * CALLS, String.format(Locale.ROOT, "%,d attempts", attempts.get()));
        }
    };

    private static final int CALLS = 1_000;
    private static final long SOON_MILLIS = 1_000;

    private final Parts parts;
    private final String title;

    CompositionProbe(Parts parts, String title) {
        this.parts = parts;
        this.title = title;
    }

    Parts parts() {
        return parts;
    }

    @Override
    public String title() {
        return title;
    }

    /** Runs the situation with the parts of one library. */
    abstract Finding on(Composition parts) throws Exception;

    private static boolean runs(Composition parts) {
        AtomicBoolean ran = new AtomicBoolean();
        CompletableFuture<String> unused = parts.submit(() -> {
            ran.set(true);
            return CompletableFuture.completedFuture("");
        });
        return ran.get();
    }

    /* Whether the breaker opens soon: some libraries count an outcome after the caller has its answer. */
    private static boolean isOpenSoon(Composition parts) throws InterruptedException {
        long start = System.nanoTime();
        while (!parts.isOpen()) {
            if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(SOON_MILLIS)) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }
}

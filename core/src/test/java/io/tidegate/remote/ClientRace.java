package io.tidegate.remote;

import io.tidegate.race.Race;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The races that any client must survive: however a request ends, its permit is back, and all that is seen of it
 * agrees.
 */
enum ClientRace {
    CANCEL_AGAINST_WAKE {
        @Override
        Race.Round round(Factory factory) {
            return new WaitingRound(factory) {
                @Override
                public void first() {
                    waits.cancel(false);
                }

                @Override
                public void second() {
                    free();
                }
            };
        }
    },

    COMPLETE_BY_HAND_AGAINST_WAKE {
        @Override
        Race.Round round(Factory factory) {
            return new WaitingRound(factory) {
                @Override
                public void first() {
                    waits.complete("by hand");
                }

                @Override
                public void second() {
                    free();
                }
            };
        }
    },

    CANCEL_AGAINST_TIMEOUT {
        @Override
        Race.Round round(Factory factory) {
            return new WaitingRound(factory) {
                @Override
                public void first() {
                    waits.cancel(false);
                }

                @Override
                public void second() {
                    bulkhead.pollQueued("nobody", TIMEOUT_MS);
                }
            };
        }
    },

    TIMEOUT_AGAINST_WAKE {
        @Override
        Race.Round round(Factory factory) {
            return new WaitingRound(factory) {
                @Override
                public void first() {
                    bulkhead.pollQueued("nobody", TIMEOUT_MS);
                }

                @Override
                public void second() {
                    free();
                }
            };
        }
    },

    SUBMIT_AGAINST_RELEASE {
        @Override
        Race.Round round(Factory factory) {
            return new WaitingRound(factory) {
                private CompletableFuture<String> comes = new CompletableFuture<>();

                @Override
                public void first() {
                    comes = submit("comes");
                }

                @Override
                public void second() {
                    free();
                }

                @Override
                public @Nullable String verdict() {
                    return !comes.isDone() ? "who came was forgotten" : super.verdict();
                }
            };
        }
    };

    static final long TIMEOUT_MS = 100;

    abstract Race.Round round(Factory factory);

    /** Returns what went wrong, or null. */
    @Nullable
    String run(Factory factory, long rounds, Duration limit) {
        return Race.run(rounds, limit, () -> round(factory));
    }

    /** Makes a client of a bulkhead: Tidegate's own, or a broken one. */
    @FunctionalInterface
    interface Factory {
        Submitter create(RemoteBulkhead bulkhead);
    }

    /** The part of a client that a race needs. */
    @FunctionalInterface
    interface Submitter {
        CompletableFuture<String> submit(String requestId, Supplier<CompletionStage<String>> operation);
    }

    /**
     * A request that waits for a permit that the test holds. Both actors do something to the request, or to the permit.
     */
    private abstract static class WaitingRound implements Race.Round {
        private final AtomicInteger runs = new AtomicInteger();
        private final Submitter submitter;
        private final BulkheadPermit place;
        private boolean freed;
        final RemoteBulkhead bulkhead;
        final CompletableFuture<String> waits;

        WaitingRound(Factory factory) {
            bulkhead = RemoteBulkhead.builder(1)
                    .policy(BackpressurePolicy.queue(2, TIMEOUT_MS))
                    .eventCapacity(1)
                    .latencyWindow(1)
                    .build();
            place = bulkhead.acquire(true, "place", 0).orElseThrow();
            submitter = factory.create(bulkhead);
            waits = submitter.submit("waits", () -> CompletableFuture.completedFuture("run " + runs.incrementAndGet()));
        }

        CompletableFuture<String> submit(String requestId) {
            return submitter.submit(requestId, () -> CompletableFuture.completedFuture(requestId));
        }

        void free() {
            freed = true;
            bulkhead.release(place, 0);
        }

        @Override
        public @Nullable String verdict() {
            if (!freed) {
                free();
            }
            if (!waits.isDone()) {
                return "the request has not ended";
            }
            boolean ran = runs.get() == 1;
            boolean saysItRan =
                    !waits.isCompletedExceptionally() && waits.join().equals("run 1");
            if (runs.get() > 1 || (saysItRan && !ran)) {
                return runs + " runs, and it ended with " + waits;
            }
            if (bulkhead.inFlight() != 0 || bulkhead.queueDepth() != 0) {
                return "left behind: " + bulkhead + " after " + runs + " runs and the end " + waits;
            }
            return submit("next").isDone() ? null : "the next one is not let in";
        }
    }
}

package io.tidegate.bulkhead;

import io.tidegate.bulkhead.broken.BulkheadFactory;
import io.tidegate.race.Race;
import io.tidegate.stage.HostileStage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The races a bulkhead must survive, for any bulkhead. */
enum BulkheadRace {
    /** AB-12, AB-13: one release, and the kind that the listener gets is the state that callers see. */
    CANCEL_AGAINST_END {
        @Override
        Race.Round round(BulkheadFactory factory) {
            return new EndRound(factory) {
                @Override
                public void first() {
                    returned.cancel(false);
                }
            };
        }
    },

    /** AB-10, AB-12, AB-13. */
    COMPLETE_BY_HAND_AGAINST_FAILURE {
        @Override
        Race.Round round(BulkheadFactory factory) {
            return new EndRound(factory) {
                @Override
                public void first() {
                    returned.complete("by hand");
                }

                @Override
                public void second() {
                    operation.completeExceptionally(new IllegalStateException("failed"));
                }
            };
        }
    },

    /** AB-10: an end by the caller frees the permit although the operation goes on. */
    COMPLETE_BY_HAND_AGAINST_CANCEL {
        @Override
        Race.Round round(BulkheadFactory factory) {
            return new EndRound(factory) {
                @Override
                public void first() {
                    returned.complete("by hand");
                }

                @Override
                public void second() {
                    returned.cancel(false);
                }
            };
        }
    },

    /** AB-14: a thread that sees the end finds the permit free. */
    SEEN_DONE_THEN_SUBMIT {
        @Override
        Race.Round round(BulkheadFactory factory) {
            return new EndRound(factory) {
                private boolean refused;

                @Override
                public void first() {
                    for (int spins = 0; !returned.isDone(); spins++) {
                        Race.pause(spins);
                    }
                    refused = submitDone().isCompletedExceptionally();
                }

                @Override
                public @Nullable String verdict() {
                    return refused ? "refused after the end was seen" : null;
                }
            };
        }
    },

    /** AB-10, AB-14: an obtruded end, too, is visible only when the permit is free. */
    OBTRUDE_THEN_SUBMIT {
        @Override
        Race.Round round(BulkheadFactory factory) {
            return new EndRound(factory) {
                private boolean refused;

                @Override
                public void first() {
                    returned.obtrudeValue("obtruded");
                    refused = submitDone().isCompletedExceptionally();
                }

                @Override
                public @Nullable String verdict() {
                    return refused ? "refused after obtruding" : null;
                }
            };
        }
    },

    /** AB-12, AB-16: an operation that signals from two threads. */
    TWO_SIGNALS {
        @Override
        Race.Round round(BulkheadFactory factory) {
            AtomicReference<BiConsumer<? super String, ? super Throwable>> hook = new AtomicReference<>();
            CompletionStage<String> stage = HostileStage.of(given -> {
                hook.set(given);
                return null;
            });
            return new EndRound(factory, new CompletableFuture<>(), stage) {
                @Override
                public void first() {
                    hook.get().accept("first", null);
                }

                @Override
                public void second() {
                    hook.get().accept(null, new IllegalStateException("second"));
                }
            };
        }
    },

    /** AB-3: two threads that come and go, with a permit for each, are never refused, and every permit comes back. */
    COME_AND_GO {
        @Override
        Race.Round round(BulkheadFactory factory) {
            return new ComeAndGoRound(factory);
        }
    },

    /** AB-3: two submissions for one permit. */
    SUBMIT_AGAINST_SUBMIT {
        @Override
        Race.Round round(BulkheadFactory factory) {
            return new SubmitRound(factory);
        }
    };

    abstract Race.Round round(BulkheadFactory factory);

    /** Returns what went wrong, or null. */
    @Nullable
    String run(BulkheadFactory factory, long rounds, Duration limit) {
        return Race.run(rounds, limit, () -> round(factory));
    }

    /**
     * A pending submission that both actors end; the second one ends the operation, unless a subclass does otherwise.
     */
    private abstract static class EndRound implements Race.Round, BulkheadListener {
        private final AsyncBulkhead bulkhead;
        private final AtomicInteger releases = new AtomicInteger();
        private volatile @Nullable TerminalKind told;
        final CompletableFuture<String> operation;
        final CompletableFuture<String> returned;

        EndRound(BulkheadFactory factory) {
            this(factory, new CompletableFuture<>());
        }

        private EndRound(BulkheadFactory factory, CompletableFuture<String> operation) {
            this(factory, operation, operation);
        }

        /** Begins with this stage as the operation. */
        EndRound(BulkheadFactory factory, CompletableFuture<String> operation, CompletionStage<String> stage) {
            this.operation = operation;
            bulkhead = factory.create(1, this);
            returned = bulkhead.submit(() -> stage).toCompletableFuture();
        }

        @Override
        public void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {
            told = kind;
            releases.incrementAndGet();
        }

        @Override
        public void second() {
            operation.complete("done");
        }

        CompletableFuture<String> submitDone() {
            return bulkhead.submit(() -> CompletableFuture.completedFuture("next"))
                    .toCompletableFuture();
        }

        @Override
        public @Nullable String verdict() {
            if (!returned.isDone()) {
                return "the returned future has not ended";
            }
            TerminalKind state = TerminalKind.of(BulkheadTest.errorOf(returned));
            boolean right = releases.get() == 1 && told == state && bulkhead.inFlight() == 0;
            return right
                    ? null
                    : "state " + state + ", told " + told + " " + releases + " times, in flight " + bulkhead.inFlight();
        }
    }

    private static final class SubmitRound implements Race.Round, BulkheadListener {
        private final AsyncBulkhead bulkhead;
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        SubmitRound(BulkheadFactory factory) {
            bulkhead = factory.create(1, this);
        }

        @Override
        public void first() {
            bulkhead.submit(this::enter);
        }

        @Override
        public void second() {
            bulkhead.submit(this::enter);
        }

        private CompletableFuture<String> enter() {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            return new CompletableFuture<>();
        }

        @Override
        public @Nullable String verdict() {
            boolean right = most.get() == 1 && bulkhead.inFlight() == 1;
            return right ? null : most + " admitted to one place, in flight " + bulkhead.inFlight();
        }
    }

    private static final class ComeAndGoRound implements Race.Round, BulkheadListener {
        private static final int TIMES = 10;

        private final AsyncBulkhead bulkhead;
        private final AtomicInteger refused = new AtomicInteger();
        private final AtomicInteger misread = new AtomicInteger();

        ComeAndGoRound(BulkheadFactory factory) {
            bulkhead = factory.create(2, this);
        }

        @Override
        public void onRejected() {
            refused.incrementAndGet();
        }

        @Override
        public void first() {
            comeAndGo();
        }

        @Override
        public void second() {
            comeAndGo();
        }

        private void comeAndGo() {
            for (int i = 0; i < TIMES; i++) {
                bulkhead.submit(() -> CompletableFuture.completedFuture("done"));
                int seen = bulkhead.inFlight();
                if (seen < 0 || seen > 1) {
                    misread.incrementAndGet();
                }
            }
        }

        @Override
        public @Nullable String verdict() {
            boolean right = refused.get() == 0 && misread.get() == 0 && bulkhead.inFlight() == 0;
            return right
                    ? null
                    : refused + " refused, in flight misread " + misread + " times, at the end " + bulkhead.inFlight();
        }
    }
}

package io.tidegate.rate;

import io.tidegate.race.Race;
import io.tidegate.rate.broken.LimiterFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The races a limiter must survive, for any limiter. */
enum LimiterRace {
    /** RL-1: two threads try to take the last permit. */
    TRY_AGAINST_TRY {
        @Override
        Race.Round round(LimiterFactory factory) {
            return new TryRound(factory, 10, Duration.ofSeconds(1), 0);
        }
    },

    /** RL-1, RL-2: the same when the word is at its end, and both threads replace it. */
    TRY_AGAINST_TRY_RENEWING {
        @Override
        Race.Round round(LimiterFactory factory) {
            return new TryRound(factory, 1_234_567, Duration.ofDays(1), 86_400_000_000_000L);
        }
    },

    /** RL-4: a submission is ended while it is admitted: it starts and its permit is spent, or neither. */
    END_AGAINST_LETTING_IN {
        @Override
        Race.Round round(LimiterFactory factory) {
            return new WaitRound(factory) {
                @Override
                public void first() {
                    returned.cancel(true);
                }

                @Override
                @Nullable
                String verdictOf(int started, RateLimiterStats stats) {
                    return stats.admitted() == 1 + started && stats.waiting() == 0
                            ? null
                            : started + " started, " + stats;
                }
            };
        }
    },

    /** RL-4: a try does not take the permit of a waiting submission. */
    TRY_AGAINST_LETTING_IN {
        @Override
        Race.Round round(LimiterFactory factory) {
            return new WaitRound(factory) {
                private boolean taken;

                @Override
                public void first() {
                    taken = limiter.tryAcquire();
                }

                @Override
                @Nullable
                String verdictOf(int started, RateLimiterStats stats) {
                    return !taken && started == 1 && stats.admitted() == 2 ? null : started + " started, " + stats;
                }
            };
        }
    },

    /** RL-1: the look for a submission that has gone takes no permit back that another thread has taken. */
    TRY_AGAINST_LATE_LOOK {
        @Override
        Race.Round round(LimiterFactory factory) {
            return new WaitRound(factory) {
                private boolean taken;

                {
                    returned.cancel(true);
                }

                @Override
                public void first() {
                    taken = limiter.tryAcquire();
                }

                @Override
                @Nullable
                String verdictOf(int started, RateLimiterStats stats) {
                    return taken && stats.admitted() == 2 && !limiter.tryAcquire()
                            ? null
                            : limiter.stats().toString();
                }
            };
        }
    },

    /** RL-6: the rate changes while a submission is admitted: no submission is forgotten. */
    SET_RATE_AGAINST_LETTING_IN {
        @Override
        Race.Round round(LimiterFactory factory) {
            return new WaitRound(factory) {
                @Override
                public void first() {
                    limiter.setRate(20, Duration.ofSeconds(1));
                }

                @Override
                @Nullable
                String verdictOf(int started, RateLimiterStats stats) {
                    time.advance(100_000_000);
                    time.runDue();
                    return this.started.get() == 1 && limiter.stats().waiting() == 0
                            ? null
                            : limiter.stats().toString();
                }
            };
        }
    };

    abstract Race.Round round(LimiterFactory factory);

    /** Returns what went wrong, or null. */
    @Nullable
    String run(LimiterFactory factory, Duration limit) {
        return Race.run(Long.MAX_VALUE, limit, () -> round(factory));
    }

    /**
     * One permit of two is left, or the word is at its end and two are left. Both actors want one, and afterwards there
     * is none.
     */
    private static final class TryRound implements Race.Round {
        private final RateLimiter limiter;
        private final int left;
        private boolean first;
        private boolean second;

        TryRound(LimiterFactory factory, long permits, Duration period, long advance) {
            ManualTime time = new ManualTime(0);
            limiter = factory.create(permits, period, 2, Duration.ZERO, time, time.scheduler);
            limiter.tryAcquire();
            time.advance(advance);
            left = advance == 0 ? 1 : 2;
        }

        @Override
        public void first() {
            first = limiter.tryAcquire();
        }

        @Override
        public void second() {
            second = limiter.tryAcquire();
        }

        @Override
        public @Nullable String verdict() {
            int taken = (first ? 1 : 0) + (second ? 1 : 0);
            return taken == left && !limiter.tryAcquire() ? null : taken + " taken";
        }
    }

    /** One submission waits; the second actor admits it. */
    private abstract static class WaitRound implements Race.Round {
        final ManualTime time = new ManualTime(0);
        final RateLimiter limiter;
        final AtomicInteger started = new AtomicInteger();
        final CompletableFuture<String> returned;
        private final List<Runnable> due;

        WaitRound(LimiterFactory factory) {
            limiter = factory.create(10, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), time, time.scheduler);
            limiter.tryAcquire();
            returned = limiter.submit(() -> {
                        started.incrementAndGet();
                        return new CompletableFuture<String>();
                    })
                    .toCompletableFuture();
            time.advance(100_000_000);
            due = time.due();
        }

        @Override
        public void second() {
            due.forEach(Runnable::run);
        }

        @Override
        public @Nullable String verdict() {
            return verdictOf(started.get(), limiter.stats());
        }

        abstract @Nullable String verdictOf(int started, RateLimiterStats stats);
    }
}

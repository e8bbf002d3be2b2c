package io.tidegate.breaker;

import io.tidegate.breaker.broken.BreakerFactory;
import io.tidegate.race.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The races that any breaker must survive. */
enum BreakerRace {
    /** CB-8: time stands still, so a thread that sees the trip must be refused, although reading the clock is slow. */
    TRIP_AGAINST_CALLS {
        @Override
        Race.Round round(BreakerFactory factory) {
            return new Meeting(factory, 1) {
                private final long failing = breaker.tryAcquire();

                @Override
                @SuppressWarnings("ThreadPriorityCheck") // widens the gap that a breaker may have here
                long now() {
                    long now = super.now();
                    Thread.yield();
                    return now;
                }

                @Override
                public void first() {
                    breaker.onFailure(failing, BreakerTest.FAILURE);
                }

                @Override
                public void second() {
                    breaker.tryAcquire();
                    awaitChangeFrom(State.CLOSED);
                    admitted(4);
                }

                @Override
                public @Nullable String verdict() {
                    return verdict("an early probe", changes.equals(List.of("CLOSED -> OPEN")));
                }
            };
        }
    },

    /** CB-6, CB-7: two callers, twice each, at the instant the open time is over. */
    CALLS_AGAINST_CALLS_WHEN_TIME_IS_OVER {
        @Override
        Race.Round round(BreakerFactory factory) {
            return new Meeting(factory, 1) {
                private int firstProbes;
                private int secondProbes;

                {
                    trip();
                    ticker.advance(BreakerFactory.TIMEOUT);
                }

                @Override
                public void first() {
                    firstProbes = admitted(2);
                }

                @Override
                public void second() {
                    secondProbes = admitted(2);
                }

                @Override
                public @Nullable String verdict() {
                    int probes = firstProbes + secondProbes;
                    return verdict(probes + " probes at a limit of one", probes == 1);
                }
            };
        }
    },

    /**
     * CB-8, CB-9, CB-10: a probe of an earlier period ends while a later one fills its slots: all of them, and no more.
     */
    LATE_PROBE_AGAINST_NEW_PROBE {
        @Override
        Race.Round round(BreakerFactory factory) {
            return new Meeting(factory, 2) {
                private final long late;
                private int probes;

                {
                    trip();
                    ticker.advance(BreakerFactory.TIMEOUT);
                    long first = breaker.tryAcquire();
                    late = breaker.tryAcquire();
                    breaker.onFailure(first, BreakerTest.FAILURE);
                    ticker.advance(BreakerFactory.TIMEOUT);
                }

                @Override
                public void first() {
                    awaitChangeFrom(State.OPEN);
                    breaker.onIgnored(late);
                }

                @Override
                public void second() {
                    probes = admitted(2);
                }

                @Override
                public @Nullable String verdict() {
                    int more = admitted(2);
                    return verdict(
                            probes + " and then " + more + " probes at a limit of two", probes == 2 && more == 0);
                }
            };
        }
    },

    /** CB-9: a success from before the trip ends while the first probe begins, and again right after that. */
    LATE_SUCCESS_AGAINST_FIRST_PROBE {
        @Override
        Race.Round round(BreakerFactory factory) {
            return new Meeting(factory, 1) {
                private final long late = breaker.tryAcquire();

                {
                    trip();
                    ticker.advance(BreakerFactory.TIMEOUT);
                }

                @Override
                public void first() {
                    breaker.onSuccess(late);
                    awaitChangeFrom(State.OPEN);
                    breaker.onSuccess(late);
                }

                @Override
                public void second() {
                    breaker.tryAcquire();
                }

                @Override
                public @Nullable String verdict() {
                    return verdict("closed by a success from before the trip", breaker.state() == State.HALF_OPEN);
                }
            };
        }
    },

    /** CB-11: two failures that both trip. */
    TRIP_AGAINST_TRIP {
        @Override
        Race.Round round(BreakerFactory factory) {
            return new Meeting(factory, 1) {
                private final long one = breaker.tryAcquire();
                private final long other = breaker.tryAcquire();

                @Override
                public void first() {
                    breaker.onFailure(one, BreakerTest.FAILURE);
                }

                @Override
                public void second() {
                    breaker.onFailure(other, BreakerTest.FAILURE);
                }

                @Override
                public @Nullable String verdict() {
                    return verdict("told more than once", changes.equals(List.of("CLOSED -> OPEN")));
                }
            };
        }
    };

    abstract Race.Round round(BreakerFactory factory);

    /** Returns what went wrong, or null. */
    @Nullable
    String run(BreakerFactory factory, long rounds, Duration limit) {
        return Race.run(rounds, limit, () -> round(factory));
    }

    /** A fresh breaker, some time after the clock's zero. */
    abstract static class Meeting implements Race.Round {
        final ManualTicker ticker = new ManualTicker();
        final List<String> changes = Collections.synchronizedList(new ArrayList<>());
        final CircuitBreaker breaker;

        Meeting(BreakerFactory factory, int maxRequests) {
            ticker.set(Duration.ofDays(1).toNanos());
            breaker = factory.create(maxRequests, this::now, (name, from, to) -> changes.add(from + " -> " + to));
        }

        /** The time that the breaker sees. */
        long now() {
            return ticker.getAsLong();
        }

        final void trip() {
            breaker.onFailure(breaker.tryAcquire(), BreakerTest.FAILURE);
        }

        /** Waits until the other actor has changed the state. */
        final void awaitChangeFrom(State from) {
            for (int spins = 0; breaker.state() == from; spins++) {
                Race.pause(spins);
            }
        }

        final int admitted(int calls) {
            int admitted = 0;
            for (int i = 0; i < calls; i++) {
                admitted += breaker.tryAcquire() > 0 ? 1 : 0;
            }
            return admitted;
        }

        final @Nullable String verdict(String wrong, boolean right) {
            return right ? null : wrong + ", " + breaker.state() + " after " + changes;
        }
    }
}

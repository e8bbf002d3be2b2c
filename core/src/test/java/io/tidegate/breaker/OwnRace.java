package io.tidegate.breaker;

import io.tidegate.breaker.broken.BreakerFactory;
import io.tidegate.race.Race;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Races about features that only Tidegate's own breaker has. */
enum OwnRace {
    /** CB-16: one outcome counts, the other one is misused. */
    PROBE_END_AGAINST_ITSELF {
        @Override
        Race.Round round() {
            return new HalfOpen(1) {
                @Override
                public void first() {
                    breaker.onSuccess(probe);
                }

                @Override
                public void second() {
                    breaker.onFailure(probe, BreakerTest.FAILURE);
                }

                @Override
                public @Nullable String verdict() {
                    BreakerMetrics metrics = breaker.metrics();
                    return verdict(
                            metrics.toString(), changes.size() == 3 && metrics.misused() == 1 && metrics.late() == 0);
                }
            };
        }
    },

    /** CB-16: an ignored probe frees its slot once, whichever thread reports it. */
    PROBE_IGNORED_AGAINST_ITSELF {
        @Override
        Race.Round round() {
            return new HalfOpen(2) {
                private int probes;

                {
                    breaker.tryAcquire();
                }

                @Override
                public void first() {
                    breaker.onIgnored(probe);
                }

                @Override
                public void second() {
                    breaker.onIgnored(probe);
                    probes = admitted(2);
                }

                @Override
                public @Nullable String verdict() {
                    probes += admitted(2);
                    BreakerMetrics metrics = breaker.metrics();
                    return verdict(
                            probes + " probes, " + metrics,
                            probes == 1 && metrics.misused() == 1 && metrics.ignored() == 1);
                }
            };
        }
    },

    /** CB-7, CB-9: one of two probes decides, and the other one is late. */
    PROBE_SUCCESS_AGAINST_PROBE_FAILURE {
        @Override
        Race.Round round() {
            return new HalfOpen(2) {
                private final long other = breaker.tryAcquire();

                @Override
                public void first() {
                    breaker.onSuccess(probe);
                }

                @Override
                public void second() {
                    breaker.onFailure(other, BreakerTest.FAILURE);
                }

                @Override
                public @Nullable String verdict() {
                    BreakerMetrics metrics = breaker.metrics();
                    return verdict(
                            metrics.toString(), changes.size() == 3 && metrics.late() == 1 && metrics.misused() == 0);
                }
            };
        }
    },

    /** CB-10: an overdue probe ends while another one takes its slot. */
    OVERDUE_PROBE_AGAINST_NEW_PROBE {
        @Override
        Race.Round round() {
            return new HalfOpen(1) {
                private int probes;

                {
                    ticker.advance(BreakerFactory.TIMEOUT);
                }

                @Override
                public void first() {
                    breaker.onIgnored(probe);
                }

                @Override
                public void second() {
                    probes = admitted(2);
                }

                @Override
                public @Nullable String verdict() {
                    probes += admitted(1);
                    BreakerMetrics metrics = breaker.metrics();
                    return verdict(
                            probes + " probes, " + metrics,
                            probes == 1 && metrics.late() + metrics.ignored() == 1 && metrics.misused() == 0);
                }
            };
        }
    },

    /** CB-7, CB-10: two callers for the slots of two overdue probes, after the limit fell to one. */
    CALLS_AGAINST_CALLS_FOR_OVERDUE_SLOTS {
        @Override
        Race.Round round() {
            return new HalfOpen(2) {
                private int firstProbes;
                private int secondProbes;

                {
                    breaker.tryAcquire();
                    breaker.update(change -> change.maxRequests(1));
                    ticker.advance(BreakerFactory.TIMEOUT);
                }

                @Override
                public void first() {
                    firstProbes = admitted(1);
                }

                @Override
                public void second() {
                    secondProbes = admitted(1);
                }

                @Override
                public @Nullable String verdict() {
                    int probes = firstProbes + secondProbes + admitted(1);
                    return verdict(probes + " probes at a limit of one", probes == 1);
                }
            };
        }
    },

    /** CB-9: a failure from before the trip neither reopens nor restarts the clock. */
    LATE_FAILURE_AGAINST_FIRST_PROBE {
        @Override
        Race.Round round() {
            return new BreakerRace.Meeting(BreakerFactory.TIDEGATE, 1) {
                private final long late = breaker.tryAcquire();

                {
                    trip();
                    ticker.advance(BreakerFactory.TIMEOUT);
                }

                @Override
                public void first() {
                    breaker.onFailure(late, BreakerTest.FAILURE);
                }

                @Override
                public void second() {
                    breaker.tryAcquire();
                }

                @Override
                public @Nullable String verdict() {
                    BreakerMetrics metrics = breaker.metrics();
                    return verdict(metrics.toString(), metrics.state() == State.HALF_OPEN && metrics.late() == 1);
                }
            };
        }
    },

    /** CB-12: a call that ends during a trip leaves no trace in the counts of the next period. */
    TRIP_AGAINST_SUCCESS {
        @Override
        Race.Round round() {
            return new BreakerRace.Meeting(BreakerFactory.TIDEGATE, 1) {
                private final long failing = breaker.tryAcquire();
                private final long succeeding = breaker.tryAcquire();

                @Override
                public void first() {
                    breaker.onFailure(failing, BreakerTest.FAILURE);
                }

                @Override
                public void second() {
                    breaker.onSuccess(succeeding);
                }

                @Override
                public @Nullable String verdict() {
                    boolean right = breaker.counts().equals(BreakerTest.NOTHING) && breaker.state() == State.OPEN;
                    return verdict(breaker.counts().toString(), right);
                }
            };
        }
    },

    /** CB-17: the new timeout holds from now on, whichever comes first. */
    UPDATE_AGAINST_TRIP {
        @Override
        Race.Round round() {
            return new BreakerRace.Meeting(BreakerFactory.TIDEGATE, 1) {
                private final Duration longer = BreakerFactory.TIMEOUT.multipliedBy(2);
                private final long failing = breaker.tryAcquire();

                @Override
                public void first() {
                    breaker.update(change -> change.timeout(longer).maxRequests(3));
                }

                @Override
                public void second() {
                    breaker.onFailure(failing, BreakerTest.FAILURE);
                }

                @Override
                public @Nullable String verdict() {
                    Diagnostics diagnostics = breaker.diagnostics();
                    return verdict(
                            diagnostics.toString(),
                            diagnostics.timeUntilHalfOpen().equals(longer)
                                    && diagnostics.maxRequests() == 3
                                    && changes.equals(List.of("CLOSED -> OPEN")));
                }
            };
        }
    },

    /** CB-11, CB-18: each of two changes happens once, in one order or the other. */
    FORCE_OPEN_AGAINST_TRIP {
        @Override
        Race.Round round() {
            return new BreakerRace.Meeting(BreakerFactory.TIDEGATE, 1) {
                private final long failing = breaker.tryAcquire();

                @Override
                public void first() {
                    breaker.forceOpen();
                }

                @Override
                public void second() {
                    breaker.onFailure(failing, BreakerTest.FAILURE);
                }

                @Override
                public @Nullable String verdict() {
                    boolean tripFirst = changes.contains("CLOSED -> OPEN")
                            && changes.contains("OPEN -> FORCED_OPEN")
                            && changes.size() == 2;
                    boolean tripLate = changes.equals(List.of("CLOSED -> FORCED_OPEN"))
                            && breaker.metrics().late() <= 1;
                    return verdict("told wrong", breaker.state() == State.FORCED_OPEN && (tripFirst || tripLate));
                }
            };
        }
    },

    /** CB-12: two calls find the interval over; it is cleared once, and both are counted. */
    CALL_AGAINST_CALL_WHEN_INTERVAL_IS_OVER {
        @Override
        Race.Round round() {
            return new BreakerRace.Meeting(OwnRace::withInterval, 1) {
                private final long spanning = breaker.tryAcquire();

                {
                    breaker.onSuccess(breaker.tryAcquire());
                    ticker.advance(Duration.ofSeconds(10));
                }

                @Override
                public void first() {
                    breaker.onSuccess(breaker.tryAcquire());
                }

                @Override
                public void second() {
                    breaker.onSuccess(spanning);
                }

                @Override
                public @Nullable String verdict() {
                    Counts counts = breaker.counts();
                    return verdict(counts.toString(), counts.equals(new Counts(2, 2, 0, 2, 0)));
                }
            };
        }
    };

    abstract Race.Round round();

    private static CircuitBreaker withInterval(int maxRequests, LongSupplier ticker, StateChangeListener listener) {
        return CircuitBreaker.builder("race")
                .interval(Duration.ofSeconds(10))
                .ticker(ticker)
                .onStateChange(listener)
                .build();
    }

    /** A half-open breaker with a probe under way. */
    private abstract static class HalfOpen extends BreakerRace.Meeting {
        final long probe;

        HalfOpen(int maxRequests) {
            super(BreakerFactory.TIDEGATE, maxRequests);
            trip();
            ticker.advance(BreakerFactory.TIMEOUT);
            probe = breaker.tryAcquire();
        }
    }
}

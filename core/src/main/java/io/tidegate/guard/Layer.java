package io.tidegate.guard;

import static java.util.Objects.requireNonNull;

import io.tidegate.Part;
import io.tidegate.gate.Gate;
import io.tidegate.gate.HedgePolicy;
import io.tidegate.gate.RetryPolicy;
import io.tidegate.gate.WaitingGate;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.stage.Stages;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One layer of a guard: a part, a time limit, a retry or a hedge. */
sealed interface Layer {
    /** The part of this layer, if it has one. */
    default @Nullable Object part() {
        return null;
    }

    /** This layer, as a guard shows it to its users. */
    default GuardLayer shown() {
        Part part = (Part) requireNonNull(part()); // the builder accepts only parts of the library
        return new GuardLayer(part.kind(), Optional.of(part), Optional.empty());
    }

    private static GuardLayer shown(String kind, @Nullable Duration limit) {
        return new GuardLayer(kind, Optional.empty(), Optional.ofNullable(limit));
    }

    /** The budget that retries or hedges spend here, if there is one. */
    default @Nullable Object budget() {
        return null;
    }

    /** A part that admits or refuses a call at once. */
    record Immediate(Gate gate) implements Layer {
        @Override
        public Object part() {
            return gate;
        }
    }

    /** A part before which calls may wait. */
    record Waiting(WaitingGate gate) implements Layer {
        @Override
        public Object part() {
            return gate;
        }
    }

    /**
     * A remote bulkhead, in whose queue calls may wait.
     *
     * @param name of the bulkhead
     */
    record Remote(RemoteBulkheadClient client, RemoteCapability capability, String name) implements Layer {
        @Override
        public Object part() {
            return client;
        }
    }

    record TimeLimit(Duration limit, long nanos) implements Layer {
        private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2); // may be added to any time

        @Override
        public GuardLayer shown() {
            return Layer.shown("time-limit", limit);
        }

        static TimeLimit of(Duration limit) {
            if (requireNonNull(limit, "limit").compareTo(Duration.ZERO) <= 0) {
                throw new IllegalArgumentException("limit: " + limit + " (expected: positive)");
            }
            Duration bounded = limit.compareTo(LONGEST) > 0 ? LONGEST : limit;
            return new TimeLimit(limit, bounded.toNanos());
        }
    }

    /** A time limit that each call or attempt looks up anew. */
    final class LiveTimeLimit implements Layer {
        private final Supplier<Duration> source;
        private volatile TimeLimit last;

        LiveTimeLimit(Supplier<Duration> source) {
            this.source = requireNonNull(source, "limit");
            this.last = TimeLimit.of(source.get());
        }

        @Override
        public GuardLayer shown() {
            return present().shown();
        }

        TimeLimit present() {
            TimeLimit seen = last;
            try {
                Duration now = source.get();
                if (!now.equals(seen.limit())) {
                    seen = TimeLimit.of(now);
                    last = seen;
                }
            } catch (Throwable lastOneStands) {
                Stages.keepInterrupt(lastOneStands);
            }
            return seen;
        }
    }

    /**
     * Makes attempts one after the other.
     *
     * @param countsFirst whether this layer reports first attempts to its budget; false if a layer around it with the
     *     same budget does so
     */
    record Retrying(RetryPolicy policy, boolean countsFirst) implements Layer {
        @Override
        public GuardLayer shown() {
            return Layer.shown("retry", null);
        }

        @Override
        public @Nullable Object budget() {
            return policy.budget();
        }

        void onFirst() {
            if (countsFirst) {
                policy.onFirst();
            }
        }
    }

    /**
     * Makes attempts side by side.
     *
     * @param countsFirst as in {@link Retrying}
     */
    record Hedging(HedgePolicy policy, boolean countsFirst) implements Layer {
        @Override
        public GuardLayer shown() {
            return Layer.shown("hedge", null);
        }

        @Override
        public @Nullable Object budget() {
            return policy.budget();
        }

        void onFirst() {
            if (countsFirst) {
                policy.onFirst();
            }
        }
    }
}

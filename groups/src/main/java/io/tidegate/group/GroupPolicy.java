package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The limits of a {@link GroupExecutor}, and what it does about tasks beyond them. Immutable. */
public final class GroupPolicy {
    /** How many tasks of a group run at once unless set: {@value}. */
    public static final int DEFAULT_MAX_CONCURRENCY_PER_GROUP = 1;

    /** Every other limit unless set: {@value}. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private final Builder settings;

    private GroupPolicy(Builder settings) {
        this.settings = settings;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    String name() {
        return settings.name;
    }

    int maxConcurrency(String groupKey) {
        Integer own = settings.perGroupMaxConcurrency.get(groupKey);
        if (own != null) {
            return own;
        }
        int resolved = settings.resolver == null ? 0 : resolve(settings.resolver, groupKey);
        return resolved >= 1 ? resolved : settings.defaultMaxConcurrency;
    }

    private static int resolve(ToIntFunction<String> resolver, String groupKey) {
        try {
            return resolver.applyAsInt(groupKey);
        } catch (Throwable useTheDefault) {
            return 0;
        }
    }

    int maxInFlight(String groupKey) {
        return settings.perGroupMaxInFlight.getOrDefault(groupKey, settings.defaultMaxInFlight);
    }

    int queueThreshold(String groupKey) {
        return settings.perGroupQueueThreshold.getOrDefault(groupKey, settings.defaultQueueThreshold);
    }

    int globalMaxInFlight() {
        return settings.globalMaxInFlight;
    }

    int globalQueueThreshold() {
        return settings.globalQueueThreshold;
    }

    RejectionPolicy rejectionPolicy() {
        return settings.rejectionPolicy;
    }

    boolean hasFreshThreads() {
        return settings.freshThreads;
    }

    @Nullable
    RejectionHandler rejectionHandler() {
        return settings.rejectionHandler;
    }

    @Nullable
    TaskLifecycleListener listener() {
        return settings.listener;
    }

    @Nullable
    UnaryOperator<Callable<?>> taskDecorator() {
        return settings.decorator;
    }

    @Nullable
    Duration maxWait() {
        return settings.maxWait;
    }

    /** Collects the settings; {@link #build()} checks them. Not thread-safe. */
    public static final class Builder {
        private String name = GroupExecutor.DEFAULT_NAME;
        private int defaultMaxConcurrency = DEFAULT_MAX_CONCURRENCY_PER_GROUP;
        private Map<String, Integer> perGroupMaxConcurrency = Map.of();
        private @Nullable ToIntFunction<String> resolver;
        private int globalMaxInFlight = UNLIMITED;
        private int defaultMaxInFlight = UNLIMITED;
        private Map<String, Integer> perGroupMaxInFlight = Map.of();
        private int globalQueueThreshold = UNLIMITED;
        private int defaultQueueThreshold = UNLIMITED;
        private Map<String, Integer> perGroupQueueThreshold = Map.of();
        private boolean freshThreads;
        private RejectionPolicy rejectionPolicy = RejectionPolicy.ABORT;
        private @Nullable RejectionHandler rejectionHandler;
        private @Nullable TaskLifecycleListener listener;
        private @Nullable UnaryOperator<Callable<?>> decorator;
        private @Nullable Duration maxWait;

        private Builder() {}

        private Builder(Builder from) {
            name = from.name;
            defaultMaxConcurrency = from.defaultMaxConcurrency;
            perGroupMaxConcurrency = from.perGroupMaxConcurrency;
            resolver = from.resolver;
            globalMaxInFlight = from.globalMaxInFlight;
            defaultMaxInFlight = from.defaultMaxInFlight;
            perGroupMaxInFlight = from.perGroupMaxInFlight;
            globalQueueThreshold = from.globalQueueThreshold;
            defaultQueueThreshold = from.defaultQueueThreshold;
            perGroupQueueThreshold = from.perGroupQueueThreshold;
            freshThreads = from.freshThreads;
            rejectionPolicy = from.rejectionPolicy;
            rejectionHandler = from.rejectionHandler;
            listener = from.listener;
            decorator = from.decorator;
            maxWait = from.maxWait;
        }

        /** Names the executor in measures; not blank. */
        public Builder name(String name) {
            this.name = requireNonNull(name, "name");
            return this;
        }

        /** Sets how many tasks of a group run at once; at least 1. */
        public Builder defaultMaxConcurrencyPerGroup(int limit) {
            this.defaultMaxConcurrency = limit;
            return this;
        }

        /** Sets the concurrency of single groups; copied. */
        public Builder perGroupMaxConcurrency(Map<String, Integer> limits) {
            this.perGroupMaxConcurrency = Map.copyOf(limits);
            return this;
        }

        /**
         * Sets the function that returns the concurrency of a group without its own entry. Called when the group gets
         * its first task, on the submitting thread and with no lock held; its answer stays until the group is evicted.
         * If it answers less than 1 or throws, the default applies. Two threads with the first tasks of a group may
         * both call it; one answer counts.
         */
        public Builder concurrencyResolver(ToIntFunction<String> resolver) {
            this.resolver = requireNonNull(resolver, "resolver");
            return this;
        }

        /** Sets how many tasks of all groups are in flight at once; at least 1. */
        public Builder globalMaxInFlight(int limit) {
            this.globalMaxInFlight = limit;
            return this;
        }

        /** Sets how many tasks of a group are in flight at once; at least 1. */
        public Builder defaultMaxInFlightPerGroup(int limit) {
            this.defaultMaxInFlight = limit;
            return this;
        }

        /** Sets the in-flight limit of single groups; copied. */
        public Builder perGroupMaxInFlight(Map<String, Integer> limits) {
            this.perGroupMaxInFlight = Map.copyOf(limits);
            return this;
        }

        /** Sets how many tasks of all groups may wait; 0 for none. */
        public Builder globalQueueThreshold(int threshold) {
            this.globalQueueThreshold = threshold;
            return this;
        }

        /** Sets how many tasks of a group may wait; 0 for none. */
        public Builder defaultQueueThresholdPerGroup(int threshold) {
            this.defaultQueueThreshold = threshold;
            return this;
        }

        /** Sets how many tasks of single groups may wait; copied. */
        public Builder perGroupQueueThreshold(Map<String, Integer> thresholds) {
            this.perGroupQueueThreshold = Map.copyOf(thresholds);
            return this;
        }

        /**
         * Gives each task a new thread, named after the group and the task. So no task sees what another one left on
         * its thread, at the cost of the start of a thread for each task.
         */
        public Builder freshThreads() {
            this.freshThreads = true;
            return this;
        }

        /** Sets what happens to refused tasks. */
        public Builder rejectionPolicy(RejectionPolicy policy) {
            this.rejectionPolicy = requireNonNull(policy, "policy");
            return this;
        }

        /** Sets the handler that decides what happens to refused tasks; takes precedence over the policy. */
        public Builder rejectionHandler(RejectionHandler handler) {
            this.rejectionHandler = requireNonNull(handler, "handler");
            return this;
        }

        /** Sets the listener of all tasks. */
        public Builder taskLifecycleListener(TaskLifecycleListener listener) {
            this.listener = requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets how long a task may wait; no limit by default. A task that has waited that long leaves the queue and is
         * refused, with the code {@link RejectedTaskException#WAIT_TIMEOUT}, as if {@code submit} had refused it: the
         * listener gets {@code onRejected}, and then the handler or the policy decides, on another thread. Under {@link
         * RejectionPolicy#CALLER_RUNS} it ends as under {@link RejectionPolicy#ABORT}, since the caller has gone on.
         * Tasks given to the {@code execute} of {@link GroupExecutor#executor} run however late: their caller could not
         * be notified.
         */
        public Builder maxWait(Duration limit) {
            this.maxWait = requireNonNull(limit, "limit");
            return this;
        }

        /**
         * Sets a function that wraps each task's body: for a context such as MDC, a trace or scoped values, captured on
         * the submitting thread and restored where the body runs, which is the submitting thread under {@link
         * RejectionPolicy#CALLER_RUNS}. Called once for each task, inside {@code submit} and with no lock held; what it
         * returns is called instead of the body, must return what the body returns, and is what listeners and handlers
         * see as the task's callable. If it throws or returns null, the task fails in its turn with that error, and the
         * body is not called. Must be thread-safe.
         */
        public Builder taskDecorator(UnaryOperator<Callable<?>> decorator) {
            this.decorator = requireNonNull(decorator, "decorator");
            return this;
        }

        /**
         * Returns the policy. The builder can be changed and used again.
         *
         * @throws IllegalArgumentException if the name is blank, a concurrency or in-flight limit is below 1, a
         *     threshold below 0, or {@code maxWait} not positive
         */
        public GroupPolicy build() {
            if (name.isBlank()) {
                throw new IllegalArgumentException("name: '" + name + "' (expected: not blank)");
            }
            check("defaultMaxConcurrencyPerGroup", defaultMaxConcurrency, 1);
            check("perGroupMaxConcurrency", perGroupMaxConcurrency, 1);
            check("globalMaxInFlight", globalMaxInFlight, 1);
            check("defaultMaxInFlightPerGroup", defaultMaxInFlight, 1);
            check("perGroupMaxInFlight", perGroupMaxInFlight, 1);
            check("globalQueueThreshold", globalQueueThreshold, 0);
            check("defaultQueueThresholdPerGroup", defaultQueueThreshold, 0);
            check("perGroupQueueThreshold", perGroupQueueThreshold, 0);
            if (maxWait != null && !maxWait.isPositive()) {
                throw new IllegalArgumentException("maxWait: " + maxWait + " (expected: > 0)");
            }
            return new GroupPolicy(new Builder(this));
        }

        private static void check(String name, Map<String, Integer> limits, int least) {
            limits.forEach((groupKey, limit) -> check(name + "[" + groupKey + "]", limit, least));
        }

        static void check(String name, int value, int least) {
            if (value < least) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + least + ")");
            }
        }
    }
}

package io.tidegate.breaker;

import static java.util.Objects.requireNonNull;

import io.tidegate.stage.FollowingFuture;
import io.tidegate.stage.Operation;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The breaker. */
final class PeriodBreaker implements CircuitBreaker {
    /*
     * The whole state is one reference to a Period, which is immutable but for the counters in it. A state change replaces
     * the period by compare-and-set on the one it was decided from: state, generation, time of opening, counts and probe
     * slots change in that one step, one thread wins, and the winner tells the listener. A new period is a new object, so
     * there is no way back to an old one.
     *
     * A stamp holds the generation that gave it. Who tells an outcome compares that with the present one: equal, and it
     * counts into the tally or probes of the period read; not equal, and it is late. A change in between leaves it counted
     * in a period that nobody reads any more, which is as if it had come just before the change.
     *
     * Taking a place for a probe, or finding none, is followed by another look at the generation, since places of a period
     * that is over may have been freed or taken after its end. Who finds it unchanged is admitted or refused by a period that
     * was the present one at that instant. Who finds another starts over, and leaves what it took to a period in which nobody
     * is admitted or refused any more; unless somebody has been refused for that take, which then stands: see Probes.
     *
     * A change of settings replaces the period by one of the same generation, with the same tally and probes. So does a clock
     * that is seen to have gone back while open.
     */
    private static final AtomicReferenceFieldUpdater<PeriodBreaker, Period> PERIOD =
            AtomicReferenceFieldUpdater.newUpdater(PeriodBreaker.class, Period.class, "period");
    private static final Counts NOTHING = new Counts(0, 0, 0, 0, 0);

    private enum Outcome {
        SUCCESS,
        FAILURE,
        IGNORED
    }

    private final Config config;
    private final LongSupplier ticker;
    private final @Nullable Predicate<? super Throwable> isSuccessful;
    private final boolean timesCalls;
    private final boolean timesEnds;
    private final int timeShift;
    private final int id = Stamp.nextBreaker();
    private final LongAdder refused = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder ignored = new LongAdder();
    private final LongAdder misused = new LongAdder();
    private volatile Period period;

    PeriodBreaker(Config config, Settings settings) {
        this.config = config;
        this.ticker = config.ticker();
        this.isSuccessful = config.isSuccessful();
        this.timesCalls = config.timesCalls();
        this.timesEnds = timesCalls || config.windowSpan() > 0;
        this.timeShift = Stamp.shiftFor(config.slowerThan());
        long now = now();
        this.period = Period.closed(0, settings, now, config.newTally(now), null);
    }

    // Calls

    @Override
    public <T> T execute(Callable<? extends T> call) throws Exception {
        requireNonNull(call, "call");
        long stamp = tryAcquire();
        if (stamp < 0) {
            throw refusal(stamp);
        }
        T value;
        try {
            value = call.call();
        } catch (Throwable thrown) {
            end(stamp, outcome(thrown));
            throw thrown;
        }
        end(stamp, outcome(null));
        return value;
    }

    @Override
    public <T> CompletionStage<T> executeAsync(Supplier<? extends CompletionStage<T>> operation) {
        requireNonNull(operation, "operation");
        long stamp = tryAcquire();
        if (stamp < 0) {
            return CompletableFuture.failedFuture(refusal(stamp));
        }
        CompletionStage<T> stage;
        try {
            stage = operation.get();
        } catch (Throwable thrown) {
            return fail(stamp, thrown);
        }
        if (stage == null) {
            return fail(stamp, new NullPointerException("operation: supplied null (expected: a CompletionStage)"));
        }
        if (Operation.hasSucceeded(stage)) {
            end(stamp, outcome(null));
            return stage;
        }
        FollowingFuture<T> returned = new FollowingFuture<>();
        returned.follow(stage, new AsyncCall<>(this, stamp, returned));
        return returned;
    }

    private <T> CompletionStage<T> fail(long stamp, Throwable error) {
        Operation.keepInterrupt(error);
        end(stamp, outcome(error));
        return CompletableFuture.failedFuture(error);
    }

    /** An asynchronous call ended. */
    void endAsync(long stamp, @Nullable Throwable error) {
        end(stamp, Operation.isCancellation(error) ? Outcome.IGNORED : outcome(error));
    }

    private CallNotPermittedException refusal(long refusal) {
        return Refusal.exception(refusal, config.name(), period.settings());
    }

    /* What a call's end counts as. Rules that throw: ignore means no, isSuccessful means failure. */
    private Outcome outcome(@Nullable Throwable error) {
        if (error != null && config.ignore() != null && holds(config.ignore(), error)) {
            return Outcome.IGNORED;
        }
        boolean success = isSuccessful == null ? error == null : holds(isSuccessful, error);
        return success ? Outcome.SUCCESS : Outcome.FAILURE;
    }

    static <T> boolean holds(Predicate<? super T> rule, @Nullable T value) {
        try {
            return rule.test(value);
        } catch (Throwable thrown) {
            return false;
        }
    }

    // Admission

    @Override
    public long tryAcquire() {
        Period seen = period;
        Tally tally = seen.tally();
        return tally != null ? begin(seen, tally) : tryAcquireUnlessClosed(seen);
    }

    private long begin(Period seen, Tally tally) {
        long stamp = Stamp.call(seen.generation());
        long interval = seen.settings().interval();
        if (timesCalls || interval > 0) {
            long now = now();
            if (interval > 0) {
                tally.clearAfter(interval, now);
            }
            if (timesCalls) {
                stamp |= Stamp.start(now - seen.since(), timeShift);
            }
        }
        tally.begin();
        return stamp;
    }

    private long tryAcquireUnlessClosed(Period first) {
        for (Period seen = first; ; seen = period) {
            switch (seen.state()) {
                case CLOSED -> {
                    return begin(seen, requireNonNull(seen.tally()));
                }
                case DISABLED -> {
                    return Stamp.call(seen.generation());
                }
                case FORCED_OPEN -> {
                    return refuse(Refusal.FORCED);
                }
                case OPEN -> {
                    long now = now();
                    if (seen.isEarliest(now)) {
                        PERIOD.compareAndSet(this, seen, seen.atEarliest(now));
                    }
                    long left = seen.timeLeft(now);
                    if (left > 0) {
                        return refuse(Refusal.open(left));
                    }
                    long stamp = tryHalfOpen(seen, now);
                    if (stamp > 0) {
                        return stamp;
                    }
                }
                case HALF_OPEN -> {
                    long stamp = tryProbe(seen, requireNonNull(seen.probes()), now());
                    if (stamp != 0) {
                        return stamp;
                    }
                }
            }
        }
    }

    /** Moves on to half-open with this call as the first probe; 0 if somebody else did. */
    private long tryHalfOpen(Period seen, long now) {
        Probes probes = new Probes();
        Period next = seen.toHalfOpen(now, probes);
        long stamp = enter(next, probes, now);
        if (!PERIOD.compareAndSet(this, seen, next)) {
            return 0;
        }
        tell(seen.state(), next.state());
        return stamp;
    }

    /** Takes a slot or refuses; 0 if the period is over. */
    private long tryProbe(Period seen, Probes probes, long now) {
        Settings settings = seen.settings();
        long take = probes.tryTake(settings.maxRequests(), now, settings.probeLimit());
        boolean over = period.generation() != seen.generation();
        if (take > 0) {
            return !over || probes.stands(take) ? enter(seen, probes, now) : 0;
        }
        return !over && probes.vouchFor(-take)
                ? refuse(Refusal.busy(probes.untilExpiry(now, settings.probeLimit())))
                : 0;
    }

    private long enter(Period owner, Probes probes, long now) {
        return Stamp.probe(owner.generation(), id, probes.enter(now));
    }

    private long refuse(long refusal) {
        refused.increment();
        return refusal;
    }

    // Outcomes

    @Override
    public void onSuccess(long stamp) {
        end(stamp, Outcome.SUCCESS);
    }

    @Override
    public void onFailure(long stamp, Throwable error) {
        end(stamp, outcome(requireNonNull(error, "error")));
    }

    @Override
    public void onIgnored(long stamp) {
        end(stamp, Outcome.IGNORED);
    }

    private void end(long stamp, Outcome outcome) {
        Period seen = period;
        if (stamp <= 0) {
            misused.increment();
        } else if (!Stamp.isCall(stamp)) {
            endProbe(seen, stamp, outcome);
        } else if (!Stamp.isOf(seen.generation(), stamp)) {
            late.increment();
        } else if (seen.tally() != null) {
            endCall(seen, seen.tally(), stamp, outcome);
        } else if (seen.state() != State.DISABLED) {
            misused.increment();
        }
    }

    private void endCall(Period seen, Tally tally, long stamp, Outcome outcome) {
        if (outcome == Outcome.IGNORED) {
            tally.ignore();
            ignored.increment();
            return;
        }
        long interval = seen.settings().interval();
        long now = 0;
        boolean slow = false;
        if (timesEnds || interval > 0) {
            now = now();
            slow = timesCalls && Stamp.elapsed(stamp, now - seen.since(), timeShift) > config.slowerThan();
            if (interval > 0) {
                tally.clearAfter(interval, now);
            }
        }
        if (outcome == Outcome.SUCCESS) {
            tally.succeed(slow, now);
            if (slow && isSlowRateTooHigh(seen.settings(), tally, now)) {
                trip(seen);
            }
        } else {
            tally.fail(slow, now);
            if (isReadyToTrip(seen.settings(), tally, now)) {
                trip(seen);
            }
        }
    }

    private void endProbe(Period seen, long stamp, Outcome outcome) {
        if (Stamp.breaker(stamp) != id) {
            misused.increment();
            return;
        }
        boolean present = Stamp.isOf(seen.generation(), stamp);
        Probes probes = present ? seen.probes() : Period.Past.find(seen.past(), stamp);
        if (probes == null) {
            late.increment();
            return;
        }
        switch (probes.leave(Stamp.slot(stamp), Stamp.sequence(stamp))) {
            case UNKNOWN -> misused.increment();
            case EXPIRED -> late.increment();
            case IN_TIME -> {
                // The outcome first: who finds the slot free must find what it has decided, too.
                try {
                    if (present) {
                        countProbe(seen, probes, outcome);
                    } else {
                        late.increment();
                    }
                } finally {
                    probes.free(Stamp.slot(stamp));
                }
            }
        }
    }

    private void countProbe(Period seen, Probes probes, Outcome outcome) {
        switch (outcome) {
            case IGNORED -> {
                probes.ignore();
                ignored.increment();
            }
            case SUCCESS -> {
                if (probes.succeed() >= seen.settings().closingSuccesses() && !change(seen, this::closed)) {
                    late.increment();
                }
            }
            case FAILURE -> {
                if (!trip(seen)) {
                    late.increment();
                }
            }
        }
    }

    // Trip rules

    private boolean isReadyToTrip(Settings settings, Tally tally, long now) {
        if (config.defaultRule() && !settings.hasRate()) {
            if (tally.failuresInRow(now) > DEFAULT_CONSECUTIVE_FAILURES) {
                return true;
            }
        }
        return isFailureRateTooHigh(settings, tally, now)
                || isSlowRateTooHigh(settings, tally, now)
                || (config.readyToTrip() != null && holds(config.readyToTrip(), tally.counts(now)));
    }

    private static boolean isFailureRateTooHigh(Settings settings, Tally tally, long now) {
        if (!settings.hasRate() || !canBeAbove(settings.rateThreshold(), tally.failures(now), settings)) {
            return false;
        }
        long failures;
        long completed;
        int cleared;
        do {
            cleared = tally.cleared();
            failures = tally.failures(now);
            completed = tally.completed(now);
        } while (tally.cleared() != cleared);
        return isAbove(settings.rateThreshold(), failures, completed, settings);
    }

    private boolean isSlowRateTooHigh(Settings settings, Tally tally, long now) {
        if (!timesCalls || !canBeAbove(config.slowRate(), tally.slow(now), settings)) {
            return false;
        }
        long slow;
        long completed;
        int cleared;
        do {
            cleared = tally.cleared();
            slow = tally.slow(now);
            completed = tally.completed(now);
        } while (tally.cleared() != cleared);
        return isAbove(config.slowRate(), slow, completed, settings);
    }

    /* Spares adding up all the rest while the calls in question are few: it would have to be the minimum at least. */
    private static boolean canBeAbove(double rate, long part, Settings settings) {
        return (double) part / settings.minimumObservations() > rate;
    }

    private static boolean isAbove(double rate, long part, long completed, Settings settings) {
        return completed >= settings.minimumObservations() && (double) part / completed > rate;
    }

    // State changes

    private boolean trip(Period seen) {
        return change(seen, from -> from.toOpen(now(), config));
    }

    private Period closed(Period from) {
        long now = now();
        return from.toClosed(now, config.newTally(now));
    }

    /** Moves on from the generation of {@code seen}, unless somebody else has. */
    private boolean change(Period seen, UnaryOperator<Period> step) {
        for (Period from = seen; from.generation() == seen.generation(); from = period) {
            Period to = step.apply(from);
            if (PERIOD.compareAndSet(this, from, to)) {
                tell(from.state(), to.state());
                return true;
            }
        }
        return false;
    }

    private void tell(State from, State to) {
        StateChangeListener listener = config.listener();
        if (listener != null && from != to) {
            try {
                listener.onStateChange(config.name(), from, to);
            } catch (Throwable dropped) {
                Operation.keepInterrupt(dropped);
            }
        }
    }

    @Override
    public void forceOpen() {
        force(State.FORCED_OPEN);
    }

    @Override
    public void disable() {
        force(State.DISABLED);
    }

    private void force(State state) {
        Period seen = period;
        while (seen.state() != state && !change(seen, from -> from.toForced(state, now()))) {
            seen = period;
        }
    }

    @Override
    public void reset() {
        while (!change(period, this::closed)) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void update(Consumer<SettingsUpdate> change) {
        requireNonNull(change, "change");
        SettingsChange asked = new SettingsChange();
        change.accept(asked);
        for (; ; ) {
            Period seen = period;
            Settings next = asked.applyTo(seen.settings());
            boolean sliding = config.windowCalls() > 0 || config.windowSpan() > 0;
            Settings.check(
                    !sliding || next.interval() == 0,
                    "interval",
                    Duration.ofNanos(next.interval()),
                    "zero with a sliding window");
            long now = now();
            if (PERIOD.compareAndSet(this, seen, seen.with(next, now, config))) {
                if (seen.tally() != null && next.interval() != seen.settings().interval()) {
                    seen.tally().clear(now);
                }
                return;
            }
        }
    }

    // Reads

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public State state() {
        return period.state();
    }

    @Override
    public Counts counts() {
        return counts(period);
    }

    private Counts counts(Period seen) {
        if (seen.tally() != null) {
            return seen.tally().counts(now());
        }
        return seen.probes() != null ? seen.probes().counts() : NOTHING;
    }

    @Override
    public BreakerMetrics metrics() {
        Period seen = period;
        Counts counts = counts(seen);
        double completed = (double) counts.totalSuccesses() + counts.totalFailures();
        long slow = seen.tally() != null && timesCalls ? seen.tally().slow(now()) : 0;
        return new BreakerMetrics(
                seen.state(),
                seen.generation(),
                counts,
                completed == 0 ? 0 : counts.totalFailures() / completed,
                completed == 0 ? 0 : Math.min(1, slow / completed),
                refused.sum(),
                late.sum(),
                ignored.sum(),
                misused.sum());
    }

    @Override
    public Diagnostics diagnostics() {
        Period seen = period;
        Settings settings = seen.settings();
        long left = seen.state() == State.OPEN ? Math.max(0, seen.timeLeft(now())) : 0;
        return new Diagnostics(
                seen.state(),
                wouldTrip(seen),
                Duration.ofNanos(left),
                seen.probes() == null ? 0 : seen.probes().inFlight(),
                Duration.ofNanos(settings.timeout()),
                Duration.ofNanos(settings.interval()),
                settings.maxRequests(),
                settings.closingSuccesses());
    }

    private boolean wouldTrip(Period seen) {
        Tally tally = seen.tally();
        if (tally == null) {
            return seen.state() == State.HALF_OPEN;
        }
        Settings settings = seen.settings();
        Tally.Outlook next = tally.afterFailure(now(), settings.interval());
        Counts counts = next.counts();
        boolean byDefault = config.defaultRule()
                && !settings.hasRate()
                && counts.consecutiveFailures() > DEFAULT_CONSECUTIVE_FAILURES;
        long completed = counts.totalSuccesses() + counts.totalFailures();
        return byDefault
                || (settings.hasRate()
                        && isAbove(settings.rateThreshold(), counts.totalFailures(), completed, settings))
                || (timesCalls && isAbove(config.slowRate(), next.slow(), completed, settings))
                || (config.readyToTrip() != null && holds(config.readyToTrip(), counts));
    }

    private long now() {
        return ticker.getAsLong();
    }

    @Override
    public String toString() {
        return "CircuitBreaker(" + config.name() + ", " + state() + ")";
    }
}

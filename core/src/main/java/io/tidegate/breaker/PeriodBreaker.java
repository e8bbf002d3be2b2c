package io.tidegate.breaker;

import static java.util.Objects.requireNonNull;

import io.tidegate.Idle;
import io.tidegate.Reading;
import io.tidegate.breaker.Transition.Cause;
import io.tidegate.gate.Gate;
import io.tidegate.gate.Refusals;
import io.tidegate.measure.FlightEvents;
import io.tidegate.stage.FollowingFuture;
import io.tidegate.stage.Stages;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A breaker whose whole state is one {@link Period}. */
final class PeriodBreaker implements CircuitBreaker, Gate, Idle {
    /*
     * The whole state is one reference to a Period, which is immutable except for the counters in it. A state change
     * replaces the period by a compare-and-set from the period that it was decided for: state, generation, time of
     * opening, counts and probe slots change in that one step, one thread wins, and the winner notifies the listeners.
     * A new period is a new object, so an old one never comes back.
     *
     * A stamp holds the generation that gave it. A thread that reports an outcome compares that with the present
     * generation. If they are equal, the outcome counts into the window or probes of the period read; if not, it is
     * late. If the period ends in between, the outcome counts in a period that is no longer read, as if it had come
     * just before the change.
     *
     * A thread that took a slot for a probe, or found none, reads the generation again, because slots may be freed or
     * taken after their period has ended. If the generation is unchanged, the call is admitted or refused by a period
     * that was the present one at that instant. If not, the thread gives up its take, and starts over with the present
     * period; unless a call has been refused because of that take, which then stands: see Probes.
     *
     * A change of settings replaces the period by one of the same generation, with the same window and probes. So does
     * a thread that finds that the clock went back while the breaker is open.
     *
     * A call's result matters more than its bookkeeping: an error in counting an outcome is dropped here, and the
     * outcome is counted as lost. At the end of the stack no method can be called for that, so this count is a plain
     * write. These paths have no lambdas, and do not use a class for the first time: what fails to link once, for lack
     * of stack, never links.
     */
    private static final AtomicReferenceFieldUpdater<PeriodBreaker, Period> PERIOD =
            AtomicReferenceFieldUpdater.newUpdater(PeriodBreaker.class, Period.class, "period");
    private static final AtomicLongFieldUpdater<PeriodBreaker> LOST =
            AtomicLongFieldUpdater.newUpdater(PeriodBreaker.class, "lost");
    private static final Counts NOTHING = new Counts(0, 0, 0, 0, 0);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int PROBES_IN_MEAN = 4;

    static {
        // The first use comes here, and not near the end of a caller's stack: a class whose initialization fails once
        // never works.
        FlightEvents.withoutRecording(PeriodBreaker::warmUp);
    }

    /* Plays the whole life of a breaker, with each kind of window. */
    private static void warmUp() {
        play(new BreakerBuilder("once"));
        play(new BreakerBuilder("once").slidingWindow(1));
        play(new BreakerBuilder("once").slidingWindow(Duration.ofNanos(1)));
    }

    private static void play(CircuitBreaker.Builder builder) {
        long[] now = {0};
        CircuitBreaker once = builder.readyToTrip(counts -> true)
                .slowCalls(Duration.ofNanos(1), 1)
                .timeout(Duration.ofNanos(1))
                .onTransition(transition -> {})
                .ticker(() -> now[0])
                .build();
        CompletableFuture<Object> operation = new CompletableFuture<>();
        CompletableFuture<Object> returned = once.executeAsync(() -> operation).toCompletableFuture();
        operation.completeExceptionally(new IllegalStateException());
        returned.cancel(false);
        Gate gate = (Gate) once;
        gate.refusal(gate.enter());
        now[0]++;
        long probe = gate.enter();
        gate.refusal(gate.enter());
        gate.leave(probe, null, null, Verdict.JUDGED);
        gate.leave(probe, null, null, Verdict.UNJUDGED);
        once.forceOpen();
        once.reset();
        once.metrics();
        once.diagnostics();
    }

    private enum Outcome {
        SUCCESS,
        FAILURE,
        IGNORED
    }

    private final FixedSettings fixed;
    private final LongSupplier ticker;
    private final @Nullable Predicate<? super Throwable> isSuccessful;
    private final @Nullable Predicate<@Nullable Object> failsOnResult;
    private final boolean timesCalls;
    private final boolean timesEnds;
    private final int timeShift;
    private final int id = Stamp.nextBreaker();
    private final LongAdder refused = new LongAdder();
    private final LongAdder refusedBusy = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder ignored = new LongAdder();
    private final LongAdder misused = new LongAdder();
    private volatile long lost;
    private volatile long usualProbe; // a moving mean of how long probes take; 0 while that is not known
    private final StrayOutcomes strayOutcomes = new StrayOutcomes();
    private volatile Period period;

    PeriodBreaker(FixedSettings fixed, LiveSettings settings) {
        this.fixed = fixed;
        this.ticker = fixed.ticker();
        this.isSuccessful = fixed.isSuccessful();
        this.failsOnResult = fixed.failsOnResult();
        this.timesCalls = fixed.timesCalls();
        this.timesEnds = timesCalls || fixed.windowSpan() > 0;
        this.timeShift = Stamp.shiftFor(fixed.slowerThan());
        long now = now();
        this.period = Period.first(settings, now, fixed.newWindow(now));
    }

    // Calls

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // an atomic update would need a call, for which there may be no stack
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
            try {
                end(stamp, null, thrown);
            } catch (Throwable noStack) {
                lost++;
            }
            throw thrown;
        }
        try {
            end(stamp, value, null);
        } catch (Throwable noStack) {
            lost++;
        }
        return value;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // as in execute
    public <T> CompletionStage<T> executeAsync(Supplier<? extends CompletionStage<T>> operation) {
        requireNonNull(operation, "operation");
        long stamp;
        try {
            stamp = tryAcquire();
        } catch (Throwable thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
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
        if (Stages.hasSucceeded(stage)) {
            try {
                end(stamp, stage.toCompletableFuture().getNow(null), null);
            } catch (Throwable noStack) {
                lost++;
            }
            return stage;
        }
        FollowingFuture<T> returned;
        AsyncCall<T> call;
        try {
            returned = new FollowingFuture<>();
            call = new AsyncCall<>(this, stamp, returned);
        } catch (Throwable outOfMemory) {
            lost++;
            return stage;
        }
        returned.follow(stage, call);
        return returned;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // as in execute
    private <T> CompletionStage<T> fail(long stamp, Throwable error) {
        try {
            Stages.keepInterrupt(error);
            end(stamp, null, error);
        } catch (Throwable outOfStack) {
            lost++;
        }
        return CompletableFuture.failedFuture(error);
    }

    /** Called when an asynchronous call has ended. */
    void endAsync(long stamp, @Nullable Object value, @Nullable Throwable error) {
        if (Stages.isCancellation(error)) {
            onIgnored(stamp);
        } else {
            end(stamp, value, error);
        }
    }

    @Override
    public long enter() {
        return tryAcquire();
    }

    @Override
    public CallNotPermittedException refusal(long refused) {
        return RefusedStamp.exception(refused, fixed.name(), period.settings());
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // as in execute
    public void leave(long stamp, @Nullable Object value, @Nullable Throwable error, Verdict verdict) {
        try {
            record(stamp, outcome(value, error, verdict));
        } catch (Throwable noStack) {
            lost++;
        }
    }

    private Outcome outcome(@Nullable Object value, @Nullable Throwable error, Verdict verdict) {
        return switch (verdict) {
            case FAILED -> Outcome.FAILURE;
            case UNJUDGED -> Outcome.IGNORED;
            case JUDGED -> {
                if (error == null) {
                    yield outcomeOfValue(value);
                }
                yield Refusals.find(error) != null ? Outcome.IGNORED : outcomeOfError(error);
            }
        };
    }

    private void end(long stamp, @Nullable Object value, @Nullable Throwable error) {
        record(stamp, error == null ? outcomeOfValue(value) : outcomeOfError(error));
    }

    private Outcome outcomeOfValue(@Nullable Object value) {
        boolean failed = (failsOnResult != null && holds(failsOnResult, value))
                || (isSuccessful != null && !holds(isSuccessful, null));
        return failed ? Outcome.FAILURE : Outcome.SUCCESS;
    }

    private Outcome outcomeOfError(Throwable error) {
        Throwable cause = Stages.unwrapped(error);
        if (fixed.ignore() != null && holds(fixed.ignore(), cause)) {
            return Outcome.IGNORED;
        }
        Predicate<? super Throwable> failsOn = fixed.failsOn();
        boolean failed = (failsOn == null && isSuccessful == null)
                || (failsOn != null && answer(failsOn, cause, true))
                || (isSuccessful != null && !holds(isSuccessful, cause));
        return failed ? Outcome.FAILURE : Outcome.SUCCESS;
    }

    static <T> boolean holds(Predicate<? super T> rule, @Nullable T value) {
        return answer(rule, value, false);
    }

    private static <T> boolean answer(Predicate<? super T> rule, @Nullable T value, boolean ifThrown) {
        try {
            return rule.test(value);
        } catch (Throwable thrown) {
            return ifThrown;
        }
    }

    // Admission

    @Override
    public long tryAcquire() {
        Period seen = period;
        OutcomeWindow window = seen.window();
        return window != null ? begin(seen, window) : tryAcquireUnlessClosed(seen);
    }

    private long begin(Period seen, OutcomeWindow window) {
        long stamp = Stamp.call(seen.generation());
        long interval = seen.settings().interval();
        if (timesCalls || interval > 0) {
            long now = now();
            if (interval > 0) {
                window.clearAfter(interval, now);
            }
            if (timesCalls) {
                stamp |= Stamp.start(now - seen.since(), timeShift);
            }
        }
        window.begin();
        return stamp;
    }

    private long tryAcquireUnlessClosed(Period first) {
        for (Period seen = first; ; seen = period) {
            switch (seen.state()) {
                case CLOSED -> {
                    return begin(seen, requireNonNull(seen.window()));
                }
                case DISABLED -> {
                    return Stamp.call(seen.generation());
                }
                case FORCED_OPEN -> {
                    return refuse(RefusedStamp.FORCED);
                }
                case OPEN -> {
                    long now = now();
                    if (seen.isEarliest(now)) {
                        PERIOD.compareAndSet(this, seen, seen.atEarliest(now));
                    }
                    long left = seen.timeLeft(now);
                    if (left > 0) {
                        return refuse(RefusedStamp.open(left));
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

    /** Changes to half-open with this call as the first probe. Returns the stamp, or 0 if another thread was first. */
    private long tryHalfOpen(Period seen, long now) {
        Period next = seen.toHalfOpen(now, new Probes(seen.settings().maxRequests(), now));
        return replace(seen, next, Cause.TIMEOUT, false) ? stamp(next, Probes.FIRST) : 0;
    }

    /** Takes a slot, or refuses. Returns the stamp or the refusal, or 0 if the period is over. */
    private long tryProbe(Period seen, Probes probes, long now) {
        long limit = seen.settings().probeLimit();
        for (; ; ) {
            long take = probes.tryTake(now, limit);
            if (take != Probes.NONE) {
                if (isOver(seen) && probes.giveUp(take)) {
                    return 0;
                }
                probes.enter(take);
                return stamp(seen, take);
            }
            long entering = probes.refreshAndFindTaken(now);
            boolean full = entering == Probes.NONE && probes.isFull();
            if (isOver(seen)) {
                return 0;
            }
            if (entering != Probes.NONE) {
                probes.enter(entering);
            } else if (full) {
                refusedBusy.increment();
                FlightEvents.refusal(kind(), fixed.name(), TooManyRequestsException.CODE);
                return RefusedStamp.busy(untilSlot(probes, now, limit));
            }
        }
    }

    private boolean isOver(Period seen) {
        return period.generation() != seen.generation();
    }

    private long stamp(Period owner, long take) {
        return Stamp.probe(owner.generation(), id, Probes.holder(take));
    }

    /**
     * Returns how long it probably takes until a slot is free: the usual time of a probe less the age of the oldest
     * probe, or a second.
     */
    private long untilSlot(Probes probes, long now, long limit) {
        long age = probes.longestAge(now);
        long usual = usualProbe;
        long left = usual > age ? usual - age : SECOND;
        long expiry = limit - age; // negative if a slot above a lowered limit keeps all calls out
        return expiry > 0 ? Math.min(left, expiry) : left;
    }

    private void updateUsualProbe(long taken) {
        long usual = usualProbe;
        if (taken > 0) {
            usualProbe = usual == 0 ? taken : usual + (taken - usual) / PROBES_IN_MEAN;
        }
    }

    private long refuse(long refusal) {
        refused.increment();
        FlightEvents.refusal(kind(), fixed.name(), CircuitOpenException.CODE);
        return refusal;
    }

    // Outcomes

    @Override
    public void onSuccess(long stamp) {
        record(stamp, Outcome.SUCCESS);
    }

    @Override
    public void onFailure(long stamp, Throwable error) {
        record(stamp, outcomeOfError(requireNonNull(error, "error")));
    }

    @Override
    public void onIgnored(long stamp) {
        record(stamp, Outcome.IGNORED);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // as in execute
    private void record(long stamp, Outcome outcome) {
        try {
            count(stamp, outcome);
        } catch (Throwable cutShort) {
            try {
                LOST.incrementAndGet(this);
            } catch (Throwable noStack) {
                lost++;
            }
        }
    }

    private void count(long stamp, Outcome outcome) {
        Period seen = period;
        if (stamp <= 0) {
            misused.increment();
        } else if (!Stamp.isCall(stamp)) {
            endProbe(seen, stamp, outcome);
        } else if (!Stamp.isOf(seen.generation(), stamp)) {
            late.increment();
        } else if (seen.window() != null) {
            endCall(seen, seen.window(), stamp, outcome);
        } else if (seen.state() != State.DISABLED) {
            misused.increment();
        }
    }

    private void endCall(Period seen, OutcomeWindow window, long stamp, Outcome outcome) {
        if (outcome == Outcome.IGNORED) {
            window.ignore();
            ignored.increment();
            return;
        }
        long interval = seen.settings().interval();
        long now = 0;
        boolean slow = false;
        if (timesEnds || interval > 0) {
            now = timeOfEnd(window);
            slow = timesCalls && Stamp.elapsed(stamp, now - seen.since(), timeShift) > fixed.slowerThan();
            if (interval > 0) {
                window.clearAfter(interval, now);
            }
        }
        if (outcome == Outcome.SUCCESS) {
            window.succeed(slow, now);
            if (slow && isSlowRateTooHigh(seen.settings(), window, now)) {
                change(seen, State.OPEN, Cause.RULE, false);
            }
        } else {
            window.fail(slow, now);
            if (isReadyToTrip(seen.settings(), window, now)) {
                change(seen, State.OPEN, Cause.RULE, false);
            }
        }
    }

    /** Returns the time. If the ticker throws, first takes the call that ends out of the running calls. */
    private long timeOfEnd(OutcomeWindow window) {
        try {
            return now();
        } catch (Throwable thrown) {
            window.ignore();
            throw thrown;
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
        int slot = Stamp.slot(stamp);
        long start = probes.start(slot);
        switch (probes.leave(slot, Stamp.sequence(stamp))) {
            case UNKNOWN -> misused.increment();
            case EXPIRED -> late.increment();
            case IN_TIME -> {
                // The outcome counts before the slot is freed, so that a thread that finds the slot free also sees the
                // outcome's effect.
                try {
                    if (!present) {
                        late.increment();
                    } else if (outcome == Outcome.IGNORED) {
                        probes.ignore();
                        ignored.increment();
                    } else {
                        countProbe(seen, probes, outcome, timeSince(start, probes));
                    }
                } finally {
                    probes.free(slot, Stamp.sequence(stamp));
                }
            }
        }
    }

    /** Returns how long a probe has taken. If the ticker throws, first takes the probe out of the requests. */
    private long timeSince(long start, Probes probes) {
        try {
            return now() - start;
        } catch (Throwable thrown) {
            probes.ignore();
            throw thrown;
        }
    }

    private void countProbe(Period seen, Probes probes, Outcome outcome, long taken) {
        updateUsualProbe(taken);
        boolean slow = timesCalls && taken > fixed.slowerThan();
        if (outcome == Outcome.FAILURE || slow) {
            if (change(seen, State.OPEN, Cause.PROBE_FAILED, slow)) {
                strayOutcomes.add(0, 1);
            } else {
                late.increment();
            }
        } else if (probes.succeed() < seen.settings().closingSuccesses()
                || change(seen, State.CLOSED, Cause.PROBES_SUCCEEDED, false)) {
            strayOutcomes.add(1, 0);
        } else {
            late.increment();
        }
    }

    // Trip rules

    private boolean isReadyToTrip(LiveSettings settings, OutcomeWindow window, long now) {
        if (fixed.defaultRule() && !settings.hasRate()) {
            if (window.failuresInRow() > DEFAULT_CONSECUTIVE_FAILURES) {
                return true;
            }
        }
        return isFailureRateTooHigh(settings, window, now)
                || isSlowRateTooHigh(settings, window, now)
                || (fixed.readyToTrip() != null && holds(fixed.readyToTrip(), window.counts(now)));
    }

    private static boolean isFailureRateTooHigh(LiveSettings settings, OutcomeWindow window, long now) {
        if (!settings.hasRate() || !canBeAbove(settings.rateThreshold(), window.failures(now), settings)) {
            return false;
        }
        long failures;
        long completed;
        int cleared;
        do {
            cleared = window.cleared();
            failures = window.failures(now);
            completed = window.completed(now);
        } while (window.cleared() != cleared);
        return isAbove(settings.rateThreshold(), failures, completed, settings);
    }

    private boolean isSlowRateTooHigh(LiveSettings settings, OutcomeWindow window, long now) {
        if (!timesCalls || !canBeAbove(fixed.slowRate(), window.slow(now), settings)) {
            return false;
        }
        long slow;
        long completed;
        int cleared;
        do {
            cleared = window.cleared();
            slow = window.slow(now);
            completed = window.completed(now);
        } while (window.cleared() != cleared);
        return isAbove(fixed.slowRate(), slow, completed, settings);
    }

    /*
     * Returns false while there are too few failed or slow calls even for the least number of calls, which saves adding
     * up all rows.
     */
    private static boolean canBeAbove(double rate, long part, LiveSettings settings) {
        return isAbove(rate, (double) part / settings.minimumObservations());
    }

    private static boolean isAbove(double rate, long part, long completed, LiveSettings settings) {
        return completed >= settings.minimumObservations() && isAbove(rate, (double) part / completed);
    }

    /* A rate of 1 means all calls, because no share is above 1. */
    private static boolean isAbove(double rate, double share) {
        return share > rate || share >= 1;
    }

    // State changes

    /**
     * Changes the state, unless the generation is no longer that of {@code seen}. Returns whether it did; {@code slow}
     * as in {@link #replace}.
     */
    private boolean change(Period seen, State to, Cause cause, boolean slow) {
        for (Period from = seen; from.generation() == seen.generation(); from = period) {
            if (replace(from, next(from, to), cause, slow)) {
                return true;
            }
        }
        return false;
    }

    private Period next(Period from, State to) {
        long now = now();
        if (to == State.OPEN) {
            return from.toOpen(now, fixed);
        }
        return to == State.CLOSED ? from.toClosed(now, fixed.newWindow(now)) : from.toForced(to, now);
    }

    /**
     * Changes the state and notifies the listeners, unless another thread was first. Returns whether it did.
     *
     * @param slow whether the cause is a probe that was slow
     */
    private boolean replace(Period from, Period to, Cause cause, boolean slow) {
        boolean changesState = from.state() != to.state();
        Transition transition =
                changesState && !fixed.transitionListeners().isEmpty() ? transition(from, to, cause, slow) : null;
        if (!PERIOD.compareAndSet(this, from, to)) {
            return false;
        }
        if (from.window() != null) {
            from.window()
                    .end(
                            to.before().successes() - from.before().successes(),
                            to.before().failures() - from.before().failures(),
                            strayOutcomes);
        }
        if (changesState) {
            FlightEvents.stateChange(
                    fixed.name(), from.state().name(), to.state().name());
            tell(from.state(), to.state(), transition);
        }
        return true;
    }

    private void tell(State from, State to, @Nullable Transition transition) {
        for (StateChangeListener listener : fixed.stateListeners()) {
            try {
                listener.onStateChange(fixed.name(), from, to);
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
        if (transition == null) {
            return;
        }
        for (Consumer<Transition> listener : fixed.transitionListeners()) {
            try {
                listener.accept(transition);
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    private Transition transition(Period from, Period to, Cause cause, boolean slow) {
        long now = to.since();
        Counts counts = counts(from, now);
        long slowCalls = slow(from, now);
        if (cause == Cause.PROBE_FAILED) {
            counts = new Counts(counts.requests(), counts.totalSuccesses(), 1, 0, 1);
            slowCalls = slow ? 1 : 0;
        }
        return new Transition(
                fixed.name(),
                from.state(),
                to.state(),
                to.generation(),
                counts,
                share(counts.totalFailures(), counts),
                share(slowCalls, counts),
                cause,
                now);
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
        while (seen.state() != state && !change(seen, state, Cause.FORCED, false)) {
            seen = period;
        }
    }

    @Override
    public void reset() {
        while (!change(period, State.CLOSED, Cause.RESET, false)) {
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
            LiveSettings next = asked.applyTo(seen.settings());
            fixed.check(next);
            long now = now();
            if (PERIOD.compareAndSet(this, seen, seen.with(next, now, fixed))) {
                if (seen.window() != null && next.interval() != seen.settings().interval()) {
                    seen.window().clear(now);
                }
                return;
            }
        }
    }

    // Reads

    @Override
    public boolean isIdle() {
        Counts counts = counts();
        return state() == State.CLOSED
                && counts.consecutiveFailures() == 0
                && counts.requests() <= counts.totalSuccesses() + counts.totalFailures();
    }

    @Override
    public String name() {
        return fixed.name();
    }

    @Override
    public State state() {
        return period.state();
    }

    @Override
    public Counts counts() {
        return counts(period, now());
    }

    private static Counts counts(Period seen, long now) {
        if (seen.window() != null) {
            return seen.window().counts(now);
        }
        return seen.probes() != null ? seen.probes().counts() : NOTHING;
    }

    private long slow(Period seen, long now) {
        return seen.window() != null && timesCalls ? seen.window().slow(now) : 0;
    }

    private static double share(long part, Counts counts) {
        double completed = (double) counts.totalSuccesses() + counts.totalFailures();
        return completed == 0 ? 0 : Math.min(1, part / completed);
    }

    @Override
    public BreakerMetrics metrics() {
        OutcomeCounts strays = strayOutcomes.sum(); // read first, so that none is counted twice
        Period seen = period;
        OutcomeCounts ever = strayOutcomes.noLessThanReported(seen.outcomes().plus(strays));
        long now = now();
        Counts counts = counts(seen, now);
        return new BreakerMetrics(
                seen.state(),
                seen.generation(),
                counts,
                share(counts.totalFailures(), counts),
                share(slow(seen, now), counts),
                refused.sum() + refusedBusy.sum(),
                late.sum(),
                ignored.sum(),
                misused.sum(),
                lost,
                ever.successes(),
                ever.failures());
    }

    @Override
    public void read(Reading to) {
        CircuitBreaker.super.read(to);
        to.count("refused", refused.sum(), "code", CircuitOpenException.CODE);
        to.count("refused", refusedBusy.sum(), "code", TooManyRequestsException.CODE);
    }

    @Override
    public Diagnostics diagnostics() {
        Period seen = period;
        LiveSettings settings = seen.settings();
        long left = seen.state() == State.OPEN ? Math.max(0, seen.timeLeft(now())) : 0;
        return new Diagnostics(
                seen.state(),
                wouldTrip(seen),
                Duration.ofNanos(left),
                seen.probes() == null ? 0 : seen.probes().inFlight(),
                Duration.ofNanos(seen.openTime(fixed)),
                Duration.ofNanos(settings.interval()),
                settings.maxRequests(),
                settings.closingSuccesses());
    }

    private boolean wouldTrip(Period seen) {
        OutcomeWindow window = seen.window();
        if (window == null) {
            return seen.state() == State.HALF_OPEN;
        }
        LiveSettings settings = seen.settings();
        OutcomeWindow.Outlook next = window.afterFailure(now(), settings.interval());
        Counts counts = next.counts();
        boolean byDefault = fixed.defaultRule()
                && !settings.hasRate()
                && counts.consecutiveFailures() > DEFAULT_CONSECUTIVE_FAILURES;
        long completed = counts.totalSuccesses() + counts.totalFailures();
        return byDefault
                || (settings.hasRate()
                        && isAbove(settings.rateThreshold(), counts.totalFailures(), completed, settings))
                || (timesCalls && isAbove(fixed.slowRate(), next.slow(), completed, settings))
                || (fixed.readyToTrip() != null && holds(fixed.readyToTrip(), counts));
    }

    private long now() {
        return ticker.getAsLong();
    }

    @Override
    public String toString() {
        return "CircuitBreaker(" + fixed.name() + ", " + state() + ")";
    }
}

package io.tidegate.bulkhead;

import static java.util.Objects.requireNonNull;

import io.tidegate.HolderWatch;
import io.tidegate.Idle;
import io.tidegate.Reading;
import io.tidegate.gate.Gate;
import io.tidegate.gate.MovingLimit;
import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import io.tidegate.measure.Holders;
import io.tidegate.measure.Times;
import io.tidegate.stage.DecidedFuture;
import io.tidegate.stage.EndHook;
import io.tidegate.stage.FollowingFuture;
import io.tidegate.stage.Hook;
import io.tidegate.stage.OperationHook;
import io.tidegate.stage.RefusedStage;
import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes a permit, runs the supplier, and hands the permit to the object that will end the submission. */
final class PermitBulkhead implements AsyncBulkhead, Gate, Idle {
    static {
        // The first use comes here, and not near the end of a caller's stack: a class whose initialization fails once
        // never works.
        FlightEvents.withoutRecording(PermitBulkhead::warmUp);
    }

    private static void warmUp() {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            AsyncBulkhead once = new PermitBulkhead(1, null, "", null, lifetime, null);
            CompletableFuture<Object> operation = new CompletableFuture<>();
            CompletionStage<Object> returned = once.submit(() -> operation);
            once.submit(() -> operation);
            operation.complete(null);
            once.submit(() -> null);
            returned.toCompletableFuture().cancel(false);
        }
    }

    private static final long UNTIMED = 0;

    private final Permits permits;
    private final @Nullable MovingLimit moving;
    private final String name;
    private final @Nullable BulkheadListener listener;
    private final PermitLifetime lifetime;
    private final LongAdder rejected = new LongAdder();
    private final Ends ends = new Ends();
    private final Times runs = new Times();
    private final Holders holders;

    /*
     * The refusal for the limit that was reached last. Its fields are final, so any thread may read it without
     * synchronization.
     */
    private Full full;

    PermitBulkhead(
            int maxInFlight,
            @Nullable MovingLimit moving,
            String name,
            @Nullable BulkheadListener listener,
            PermitLifetime lifetime,
            @Nullable HolderWatch watch) {
        this.permits = new Permits(maxInFlight);
        this.moving = moving;
        this.name = name;
        this.listener = listener;
        this.lifetime = lifetime;
        this.full = new Full(name, maxInFlight);
        this.holders = new Holders(kind(), name, watch);
    }

    @Override
    public <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation) {
        requireNonNull(operation, "operation");
        StackRoom.require(); // so that from here on only the operation can run out of stack
        long stamp = enter();
        if (stamp < 0) {
            @SuppressWarnings("unchecked") // it has no value, so it is a stage of any type
            CompletionStage<T> refused = (CompletionStage<T>) full(stamp).stage;
            return refused;
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
        if (mayBeReturned(stage)) {
            leave(stamp, null, Stages.errorOf(stage), Verdict.JUDGED);
            return stage;
        }
        return follow(stamp, stage);
    }

    /** Returns a stamp; for a refusal, minus the limit that was reached. */
    @Override
    public long enter() {
        long number = permits.take(moving);
        if (number < 0) {
            rejected.increment();
            FlightEvents.refusal(kind(), name, BulkheadRejectedException.CODE);
            tellRejected();
            return number;
        }
        tellAdmitted();
        long stamp = moving == null ? runs.begin(number) : moving.begin();
        return holders.isOff() ? stamp : holders.begin(stamp);
    }

    @Override
    public BulkheadRejectedException refusal(long refused) {
        return full(refused).refusal;
    }

    private Full full(long refused) {
        int limit = (int) -refused;
        Full last = full;
        if (last.refusal.maxInFlight() != limit) {
            last = new Full(name, limit);
            full = last;
        }
        return last;
    }

    @Override
    public void leave(long stamp, @Nullable Object value, @Nullable Throwable error, Verdict verdict) {
        giveBack(error);
        tellReleased(error);
        learn(endRecord(stamp, error), error, verdict);
    }

    /**
     * Ends the record and the time of a call that no longer holds its permit. Returns the stamp inside, for {@link
     * #learn}.
     */
    long endRecord(long stamp, @Nullable Throwable error) {
        long inner = Holders.isHeld(stamp) ? holders.end(stamp, Ends.outcome(error)) : stamp;
        if (moving == null) {
            runs.end(inner);
        } else if (runs.isRead()) {
            long nanos = moving.elapsed(inner);
            if (nanos >= 0) {
                runs.took(nanos);
            }
        }
        return inner;
    }

    @Override
    public boolean bindsToOperation() {
        return lifetime == PermitLifetime.OPERATION;
    }

    @Override
    public boolean isIdle() {
        return permits.out() == 0;
    }

    private <T> CompletionStage<T> fail(long stamp, Throwable error) {
        leave(stamp, null, error, Verdict.JUDGED);
        Stages.keepInterrupt(error);
        return CompletableFuture.failedFuture(error);
    }

    /*
     * Returns whether the operation itself may be returned. A failed operation is followed instead if a listener must
     * get its error.
     */
    private boolean mayBeReturned(CompletionStage<?> stage) {
        return listener == null ? Stages.hasEnded(stage) : Stages.hasSucceeded(stage);
    }

    private <T> CompletionStage<T> follow(long stamp, CompletionStage<T> stage) {
        DecidedFuture<T> returned;
        Hook<T> hook;
        try {
            if (lifetime == PermitLifetime.OPERATION) {
                long inner = Holders.isHeld(stamp) ? holders.stampIn(stamp) : stamp;
                returned = moving == null ? new FollowingFuture<>() : new TimedFollowingFuture<>(this, inner);
                hook = new OperationPermit<>(this, returned, stamp);
            } else {
                boolean plain = moving == null && stamp == UNTIMED;
                returned = plain ? new BulkheadSubmission<>(this) : new TimedSubmission<>(this, stamp);
                hook = new EndHook<>(returned);
            }
        } catch (Throwable outOfMemory) {
            return fail(stamp, outOfMemory);
        }
        returned.follow(stage, hook);
        return returned;
    }

    /**
     * Gives a permit back: called once for each admission, by the thread that decided its end. {@link #tellReleased}
     * must follow.
     */
    void giveBack(@Nullable Throwable error) {
        ends.count(error);
        permits.giveBack();
    }

    void tellReleased(@Nullable Throwable error) {
        if (listener != null) {
            try {
                listener.onReleased(TerminalKind.of(error), error);
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    /** Passes an end on to the limit, if it moves. The permit may be back already. */
    void learn(long stamp, @Nullable Throwable error, Verdict verdict) {
        if (moving != null) {
            moving.end(stamp, permits.out() + 1, error, verdict);
        }
    }

    private void tellAdmitted() {
        if (listener != null) {
            try {
                listener.onAdmitted();
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    private void tellRejected() {
        if (listener != null) {
            try {
                listener.onRejected();
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int maxInFlight() {
        return moving == null ? permits.limit() : moving.limit();
    }

    @Override
    public void setMaxInFlight(int maxInFlight) {
        AsyncBulkheadBuilder.requireLimit(maxInFlight);
        if (moving != null) {
            throw new UnsupportedOperationException("setMaxInFlight: " + maxInFlight + " for bulkhead '" + name
                    + "' (expected: a limit that is fixed; this one is adaptive)");
        }
        FlightEvents.limitChange(kind(), name, permits.limit(), maxInFlight);
        permits.setLimit(maxInFlight);
    }

    @Override
    public boolean isLimitFixed() {
        return moving == null;
    }

    @Override
    public int inFlight() {
        return permits.out();
    }

    @Override
    public int available() {
        return Math.max(0, maxInFlight() - permits.out());
    }

    @Override
    public BulkheadStats stats() {
        Permits.Totals totals = permits.totals();
        long refused = rejected.sum();
        return new BulkheadStats(totals.taken() + refused, totals.taken(), refused, totals.returned());
    }

    @Override
    public void read(Reading to) {
        Permits.Totals totals = permits.totals(); // all of one instant
        to.gauge("in.flight", (double) totals.taken() - totals.returned());
        to.gauge("limit", maxInFlight());
        to.count("admitted", totals.taken());
        to.count("refused", rejected.sum(), "code", BulkheadRejectedException.CODE);
        ends.read(to, totals.returned());
        runs.read(to, "run");
        holders.read(to);
    }

    @Override
    public String toString() {
        return "AsyncBulkhead(" + name + ", " + inFlight() + " of " + maxInFlight() + " in flight)";
    }

    /** The answer to every refusal at one limit. */
    private static final class Full {
        final BulkheadRejectedException refusal;
        final RefusedStage<?> stage;

        Full(String name, int limit) {
            this.refusal = new BulkheadRejectedException(name, limit);
            this.stage = new RefusedStage<>(refusal);
        }
    }

    /** Holds the permit under {@link PermitLifetime#OPERATION}. */
    private static final class OperationPermit<T> extends OperationHook<T> {
        private final PermitBulkhead bulkhead;

        private final long stamp;

        OperationPermit(PermitBulkhead bulkhead, DecidedFuture<T> returned, long stamp) {
            super(returned);
            this.bulkhead = bulkhead;
            this.stamp = stamp;
        }

        @Override
        protected void release(@Nullable T value, @Nullable Throwable error) {
            bulkhead.giveBack(error);
            bulkhead.tellReleased(error);
            bulkhead.endRecord(stamp, error);
        }
    }
}

package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.gate.OwnPart;
import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import io.tidegate.measure.Holders;
import io.tidegate.measure.Times;
import io.tidegate.slice.SliceLease;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.stage.Stages;
import io.tidegate.stage.Trampoline;
import io.tidegate.time.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The client of a remote bulkhead: its requests wait in the bulkhead's own queue. */
final class QueueingClient implements RemoteBulkheadClient, OwnPart {
    /*
     * The bulkhead's queue is the only queue: its entries refer to the submissions, and the bulkhead notifies them when
     * they are admitted, or when their time is up. The client only has to make the bulkhead look for requests whose
     * time is up. All requests may wait equally long, so one timer, for the first of them, is enough: the latest
     * `look`. It is written after its timer is set, so no request relies on a timer that could not be set. A request
     * that finds no look sets one; two requests at the same time may both do so. A look that leaves requests waiting
     * sets the next look, unless a request has done so.
     */
    /** The stamp of a request whose holder is not recorded. */
    static final long NOT_KEPT = 0;

    private static final long OVERDUE_MS = 1_000;
    private static final long NO_MEMORY_NANOS = 1_000_000;

    static {
        // The first use comes here, and not near the end of a caller's stack: a class whose initialization fails once
        // never works.
        Timekeeper.ready();
        FlightEvents.withoutRecording(QueueingClient::warmUp);
    }

    /* Plays requests that end in each way, with each lifetime of a permit. */
    private static void warmUp() {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            BackpressurePolicy queue = BackpressurePolicy.queue(2, 1);
            RemoteBulkhead once = RemoteBulkhead.builder(1)
                    .policy(queue)
                    .eventSink(event -> {})
                    .build();
            ClientBuilder settings = new ClientBuilder(once);
            settings.lifetime = lifetime;
            settings.executor = Runnable::run;
            settings.timer = ClientBuilder.NO_TIMER;
            settings.clock = () -> 0;
            QueueingClient client = new QueueingClient(settings);
            RemoteCapability capability = client.takeCapability();
            CompletableFuture<Object> operation = new CompletableFuture<>();
            for (String requestId : List.of("runs", "waits", "gives up", "is refused")) {
                CompletionStage<Object> returned = client.submit(capability, requestId, () -> operation);
                if (requestId.equals("gives up")) {
                    returned.toCompletableFuture().cancel(false);
                }
            }
            client.notifier.tell(client.bulkhead.expire(0));
            operation.complete(null);
            client.submit(capability, "is over", () -> operation);
            client.drain(Duration.ZERO);
        }
    }

    final LockedBulkhead bulkhead;
    final Notifier notifier;
    private final PermitLifetime lifetime;
    private final Executor executor;
    private final ClientBuilder.Timer timer;
    private final LongSupplier clock;
    private final AtomicReference<@Nullable Look> look = new AtomicReference<>();
    private final Trampoline starts = new Trampoline();
    private final Times runs = new Times();
    private final Times waits = new Times();
    private final Holders holders;

    QueueingClient(ClientBuilder settings) {
        this.bulkhead = settings.bulkhead;
        this.notifier = settings.bulkhead.notifier;
        this.lifetime = settings.lifetime;
        this.executor = settings.executor;
        this.timer = settings.timer;
        this.clock = settings.clock;
        this.holders = new Holders(kind(), bulkhead.name(), settings.watch);
    }

    @Override
    public String kind() {
        return bulkhead.lease == null ? "remote" : "cluster";
    }

    @Override
    public String name() {
        return bulkhead.name();
    }

    @Override
    public void read(Reading to) {
        bulkhead.read(to);
        runs.read(to, "run");
        waits.read(to, "wait");
        holders.read(to);
    }

    /** A request begins to wait. Returns a stamp for {@link #waited}. */
    long waits() {
        return waits.begin();
    }

    FlightEvents.@Nullable WaitEvent recordedWait() {
        return FlightEvents.wait(kind(), bulkhead.name());
    }

    /** A wait is over. */
    void waited(long stamp, FlightEvents.@Nullable WaitEvent event) {
        waits.end(stamp);
        FlightEvents.waited(event);
    }

    /** A request that waited has a permit. Returns a stamp for {@link #runs}, 0 if nothing needs it. */
    long granted(Holders.@Nullable Caller caller) {
        return holders.isOff() ? NOT_KEPT : holders.begin(NOT_KEPT, caller);
    }

    /**
     * An operation is about to start. Returns a stamp for {@link #release}.
     *
     * @param granted from {@link #granted}
     */
    long runs(Holders.@Nullable Caller caller, long granted) {
        long stamp = runs.begin();
        if (granted != NOT_KEPT) {
            return holders.restamp(granted, stamp);
        }
        return holders.isOff() ? stamp : holders.begin(stamp, caller);
    }

    /** The operation does not start after all. */
    void neverRan(long stamp) {
        holders.drop(stamp);
    }

    @Override
    public RemoteCapability takeCapability() {
        if (!bulkhead.takeCapability()) {
            throw new IllegalStateException("takeCapability: taken before (expected: once)");
        }
        return new RemoteCapability(bulkhead);
    }

    @Override
    public <T> CompletionStage<T> submit(
            @Nullable RemoteCapability capability, String requestId, Supplier<? extends CompletionStage<T>> operation) {
        requireNonNull(requestId, "requestId");
        requireNonNull(operation, "operation");
        long nowMs = now();
        RemoteSubmission<T> submission = new RemoteSubmission<>(this, requestId, nowMs, operation, holders.caller());
        boolean hasRemoteCap = capability != null && capability.isFor(bulkhead);
        return bulkhead.submit(hasRemoteCap, requestId, nowMs, submission);
    }

    /** Makes the exception for a refusal, with a time to wait unless waiting cannot help. */
    BulkheadException refusal(BulkheadError error) {
        FlightEvents.refusal(kind(), bulkhead.name(), error.code());
        SliceLease lease = bulkhead.lease;
        if (lease != null && error instanceof BulkheadError.NoLease) {
            return new BulkheadException(error, bulkhead.name(), bulkhead.retryAfterMs(), lease.lastFailure());
        }
        boolean forGood = error instanceof BulkheadError.RemoteCapRequired
                || (error instanceof BulkheadError.Draining draining && draining.targetCap() == 0);
        return forGood
                ? new BulkheadException(error, bulkhead.name())
                : new BulkheadException(error, bulkhead.name(), bulkhead.retryAfterMs(), null);
    }

    /**
     * Checks the lease once more before the operation starts: since the admission it may have ended, and another one
     * may have begun.
     */
    void requireLease(BulkheadPermit permit) {
        SliceLease lease = bulkhead.lease;
        if (lease != null) {
            SliceLease.Term term = lease.term();
            if (!term.covers(permit.permitId(), now())) {
                throw refusal(new BulkheadError.NoLease(lease.whyNone()));
            }
        }
    }

    boolean bindsToOperation() {
        return lifetime == PermitLifetime.OPERATION;
    }

    void execute(Runnable start) {
        executor.execute(() -> starts.run(start));
    }

    /** Gives back what a request holds whose operation has not started. The caller must deliver the result. */
    PendingNotifications abandon(RemoteSubmission<?> submission) {
        return bulkhead.abandon(submission, submission.requestId(), now());
    }

    /**
     * Gives the permit back. The caller must deliver the result. Cancelled requests do not count for the latency.
     *
     * @param stamp from {@link #runs}, 0 if nothing was started
     */
    PendingNotifications release(BulkheadPermit permit, long submittedMs, long stamp, @Nullable Throwable error) {
        long nowMs = now();
        boolean recorded = !Stages.isCancellation(error);
        long latencyMs = recorded ? Math.max(0, nowMs - submittedMs) : LockedBulkhead.NOT_RECORDED;
        bulkhead.ends.count(error);
        PendingNotifications told = bulkhead.release(permit, latencyMs, nowMs);
        runs.end(Holders.isHeld(stamp) ? holders.end(stamp, Ends.outcome(error)) : stamp);
        return told == null ? PendingNotifications.NONE : told;
    }

    /*
     * The delay is that of the first waiting request, not of the caller's: that one may have come while there was no
     * timer.
     */
    void ensureLook() {
        long nowMs = now();
        Look latest = look.get();
        if (latest == null || !latest.isToCome(nowMs)) {
            long delayMs = Math.max(1, bulkhead.nextExpiryMs(nowMs));
            Look next = new Look(nowMs + delayMs);
            timer.schedule(next, delayMs);
            look.compareAndSet(latest, next);
        }
    }

    /** A timer task that ends the waits whose time is up, and sets the next one. */
    private final class Look implements Runnable {
        private final long dueMs;
        private volatile boolean begun;

        Look(long dueMs) {
            this.dueMs = dueMs;
        }

        /** Returns whether this look can still be relied on: one that is long overdue was lost with its scheduler. */
        boolean isToCome(long nowMs) {
            return !begun && nowMs - dueMs < OVERDUE_MS;
        }

        @Override
        public void run() {
            begun = true;
            PendingNotifications told;
            try {
                told = bulkhead.expire(now());
            } finally {
                ensureNextLook();
            }
            notifier.tell(told);
        }

        /*
         * Waiting requests rely on this thread: if there is no memory for the next look, it waits until there is some.
         */
        private void ensureNextLook() {
            while (bulkhead.queueDepth() > 0) {
                try {
                    ensureLook();
                    return;
                } catch (OutOfMemoryError noMemory) {
                    LockSupport.parkNanos(this, NO_MEMORY_NANOS);
                }
            }
        }
    }

    /** Ends a wait that is over. Returns the notifications that the caller must deliver. */
    PendingNotifications end(Runnable wait) {
        return timer.end(wait);
    }

    @Override
    public CompletionStage<DrainReport> drain(Duration limit) {
        if (requireNonNull(limit, "limit").isNegative()) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: not negative)");
        }
        CompletableFuture<DrainReport> report = new CompletableFuture<>();
        Runnable whenNothingIsLeft = whenGivenBack(() -> report.complete(new DrainReport(0, 0)));
        Runnable whenTimeIsUp = () -> report.complete(bulkhead.giveUp(whenNothingIsLeft, now()));
        bulkhead.close(whenNothingIsLeft, now());
        if (limit.isZero()) {
            whenTimeIsUp.run();
        } else if (!report.isDone()) {
            timer.schedule(whenTimeIsUp, millis(limit));
        }
        return report;
    }

    /* If the cap is a slice of a larger cap, the slice must be back at the engine, too. */
    private Runnable whenGivenBack(Runnable end) {
        SliceLease lease = bulkhead.lease;
        return lease == null ? end : () -> lease.givenBack().whenComplete((none, failed) -> end.run());
    }

    private static long millis(Duration limit) {
        try {
            return Math.max(1, limit.toMillis());
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void setMaxInFlight(int newCap) {
        bulkhead.setMaxInFlight(newCap, now());
    }

    @Override
    public String toString() {
        return "RemoteBulkheadClient(" + bulkhead + ")";
    }

    /* If the clock fails, time stands still: a permit must come back anyway. */
    private long now() {
        try {
            long nowMs = clock.getAsLong();
            return nowMs >= 0 ? nowMs : bulkhead.latestMs();
        } catch (Throwable broken) {
            return bulkhead.latestMs();
        }
    }
}

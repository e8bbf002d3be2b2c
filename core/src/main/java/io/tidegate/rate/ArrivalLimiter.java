package io.tidegate.rate;

import static java.util.Objects.requireNonNull;

import io.tidegate.Idle;
import io.tidegate.Reading;
import io.tidegate.gate.WaitingGate;
import io.tidegate.measure.FlightEvents;
import io.tidegate.measure.Times;
import io.tidegate.stage.DecidedFuture;
import io.tidegate.stage.EndHook;
import io.tidegate.stage.FollowingFuture;
import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import io.tidegate.time.Timekeeper;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gives out permits as the arrival time allows, and keeps the line of waiting submissions. */
final class ArrivalLimiter implements RateLimiter, WaitingGate, Idle {
    /*
     * While nothing waits, the word in `arrival` is the whole state (see ArrivalTime).
     *
     * Waiters stand in `line`, and have taken nothing yet. So a waiter that gives up only leaves the line, and all
     * behind it move up. The first waiter is due when there is a permit, the i-th when there would be i permits, and a
     * new one likewise. The line's lock guards the line. While a submission is in the line, the word is CLOSED. Only
     * the thread that holds the lock may change a CLOSED word. No user code runs with the lock held, so the time is
     * read before. A refusal stands only if nothing has changed since then; otherwise it might not be right at any
     * instant.
     *
     * One timer, for the first in line, is enough. It has the number of the plan it was set for, and does nothing if
     * there is another plan by then. The thread that admits a submission also starts its operation, so nothing can come
     * between the permit and the start. Then that thread goes on with the next submission that is due, so that
     * operations start in order. The timer is set meanwhile anyway: if a start has not returned when it fires, another
     * thread takes over, and the first thread stops after its start.
     */
    private static final long TAKEN = 0;
    private static final long NO_PLAN = 0;
    private static final long OVERDUE_NANOS = 1_000_000_000L;
    private static final long STUCK_NANOS = 50_000_000L;

    private static final AtomicReferenceFieldUpdater<ArrivalLimiter, ArrivalTime> ARRIVAL =
            AtomicReferenceFieldUpdater.newUpdater(ArrivalLimiter.class, ArrivalTime.class, "arrival");

    private static final AtomicLongFieldUpdater<ArrivalLimiter> REPORTED =
            AtomicLongFieldUpdater.newUpdater(ArrivalLimiter.class, "reported");

    private final String name;
    private final long givenBurst;
    private final long maxWaitNanos;
    private final LongSupplier ticker;
    private final @Nullable ScheduledExecutorService scheduler;
    private final LongAdder admitted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Times waits = new Times();
    private volatile ArrivalTime arrival;

    @SuppressWarnings("unused") // through REPORTED
    private volatile long reported;

    // Guarded by the line's lock; the number of waiters is read without it, too.
    private final Map<Waiter, Waited> line = new LinkedHashMap<>();
    private volatile int waiting;
    private long plan = NO_PLAN;
    private boolean planned;
    private long plannedFor;
    private long shift; // number of the admitting thread's turn: only the thread of the latest shift goes on
    private boolean starting;
    private long startingSince;

    ArrivalLimiter(LimiterBuilder settings) {
        this.name = settings.name;
        this.givenBurst = settings.burst;
        this.maxWaitNanos = settings.maxWaitNanos;
        this.ticker = settings.ticker;
        this.scheduler = settings.scheduler;
        Rate rate = Rate.of(settings.permits, settings.period, givenBurst);
        this.arrival = rate.full(ticker.getAsLong());
    }

    // Taking permits

    @Override
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public boolean tryAcquire(long permits) {
        long answer = tryTake(permits);
        if (answer == ArrivalTime.CLOSED) {
            answer = decide(permits, null, 0);
        }
        if (answer != TAKEN) {
            countRefusal();
        }
        return answer == TAKEN;
    }

    /* Returns TAKEN, NOT_YET, or CLOSED; the last if only the thread that holds the lock may take permits. */
    private long tryTake(long permits) {
        long now = ticker.getAsLong();
        boolean isOld = true; // the time was read before the word: enough for an admission, not for a refusal
        ArrivalTime time = arrival;
        long word = time.word;
        for (; ; ) {
            if (permits != 1) {
                time.rate.requireWithinBurst(permits);
            }
            if (word < 0 && !ArrivalTime.isFrozen(word)) {
                return ArrivalTime.CLOSED;
            }
            long next = time.after(word & ArrivalTime.VALUE, now, permits);
            if (next == ArrivalTime.NOT_YET && !isOld) {
                return ArrivalTime.NOT_YET;
            }
            if (next != ArrivalTime.NOT_YET && tryMove(time, word, next, now, permits)) {
                return TAKEN;
            }
            isOld = next != ArrivalTime.NOT_YET;
            time = arrival;
            word = time.word;
            if (!isOld) {
                now = ticker.getAsLong();
            }
        }
    }

    private boolean tryMove(ArrivalTime time, long word, long next, long now, long permits) {
        boolean isMoved;
        if (next >= 0 && word >= 0) {
            isMoved = ArrivalTime.WORD.compareAndSet(time, word, next);
        } else {
            isMoved = (word < 0 || ArrivalTime.WORD.compareAndSet(time, word, word | ArrivalTime.FROZEN))
                    && ARRIVAL.compareAndSet(this, time, time.renewed(word & ArrivalTime.VALUE, now, permits));
        }
        if (isMoved) {
            count(time, word, word >= 0 ? next : ArrivalTime.ELSEWHERE, permits);
        }
        return isMoved;
    }

    /* Counts the permits that the word does not count, or cannot keep any longer. */
    private void count(ArrivalTime time, long word, long next, long permits) {
        long uncounted = time.counted(word) + permits - (next >= 0 ? time.counted(next) : 0);
        if (uncounted != 0) {
            admitted.add(uncounted);
        }
    }

    @Override
    public long nanosUntil(long permits) {
        ArrivalTime time = arrival;
        long value = time.word & ArrivalTime.VALUE;
        time.rate.requireWithinBurst(permits);
        return time.nanosUntil(value, ticker.getAsLong(), waiting + permits);
    }

    @Override
    public boolean isIdle() {
        ArrivalTime time = arrival;
        long value = time.word & ArrivalTime.VALUE;
        return waiting == 0 && time.nanosUntil(value, ticker.getAsLong(), time.rate.burst) == 0;
    }

    // As a gate

    @Override
    public long enter() {
        return ask(null, 0);
    }

    @Override
    public boolean letsWait() {
        return maxWaitNanos > 0;
    }

    @Override
    public long enter(Waiter waiter, long longestNanos) {
        long longest = Math.min(longestNanos, maxWaitNanos);
        return longest > 0 ? ask(waiter, longest) : ask(null, 0);
    }

    /* Returns TAKEN, WAITS, or a negative number: by how much the wait would be longer than allowed. */
    private long ask(@Nullable Waiter waiter, long longest) {
        long answer = tryTake(1);
        while (answer == ArrivalTime.NOT_YET) {
            long wait = nanosUntil(1);
            if (wait > longest) {
                countRefusal();
                return longest - wait;
            }
            answer = wait == 0 ? tryTake(1) : ArrivalTime.CLOSED;
        }
        if (answer == ArrivalTime.CLOSED) {
            answer = decide(1, waiter, longest);
            if (answer < 0 && answer != WAITS) {
                countRefusal();
            }
        }
        return answer;
    }

    private void countRefusal() {
        refused.increment();
        FlightEvents.refusal(kind(), name, RateLimitedException.CODE);
    }

    @Override
    public RateLimitedException refusal(long refused) {
        return new RateLimitedException(name, Duration.ofNanos(-refused));
    }

    @Override
    public void leave(long stamp, @Nullable Object value, @Nullable Throwable error, Verdict verdict) {
        // a permit does not come back
    }

    // Submissions

    @Override
    public <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation) {
        requireNonNull(operation, "operation");
        StackRoom.require(); // so that from here on only the operation can run out of stack
        WaitingSubmission<T> submission = maxWaitNanos > 0 ? new WaitingSubmission<>(this, operation) : null;
        CompletionStage<T> stage;
        try {
            long answer = submission == null ? enter() : enter(submission, maxWaitNanos);
            if (answer == WAITS) {
                return requireNonNull(submission);
            }
            if (answer != TAKEN) {
                return CompletableFuture.failedFuture(refusal(answer));
            }
            stage = started(operation);
        } catch (Throwable thrown) {
            Stages.keepInterrupt(thrown);
            return CompletableFuture.failedFuture(thrown);
        }
        if (Stages.hasEnded(stage)) {
            return stage;
        }
        DecidedFuture<T> returned = new FollowingFuture<>();
        returned.follow(stage, new EndHook<>(returned));
        return returned;
    }

    static <T> CompletionStage<T> started(@Nullable Supplier<? extends CompletionStage<T>> operation) {
        CompletionStage<T> stage = operation == null ? null : operation.get();
        if (stage == null) {
            throw new NullPointerException("operation: supplied null (expected: a CompletionStage)");
        }
        return stage;
    }

    // Waiting

    /* Decides with the lock held. Answers as `ask` does; without a waiter, TAKEN or a negative number. */
    private long decide(long permits, @Nullable Waiter waiter, long longest) {
        StackRoom.require();
        for (; ; ) {
            ArrivalTime seen = arrival;
            long seenValue = seen.word & ArrivalTime.VALUE;
            int seenWaiting = waiting;
            long now = ticker.getAsLong();
            long answer;
            long newPlan = NO_PLAN;
            long delay = 0;
            boolean isRight;
            synchronized (line) {
                arrival.rate.requireWithinBurst(permits);
                ArrivalTime time = close(now);
                long value = time.word & ArrivalTime.VALUE;
                isRight = time.equals(seen) && value == seenValue && waiting == seenWaiting;
                long wait = time.nanosUntil(value, now, waiting + permits);
                if (wait == 0 && (waiter == null || line.isEmpty())) {
                    take(time, value, now, permits);
                    answer = TAKEN;
                } else if (waiter != null && wait <= longest) {
                    line.put(waiter, new Waited(now, FlightEvents.wait(kind(), name)));
                    delay = time.nanosUntil(value, now, 1);
                    newPlan = planFor(now, delay);
                    answer = WAITS;
                } else {
                    answer = longest - wait;
                }
                lineChanged();
            }
            if (newPlan != NO_PLAN) {
                schedule(newPlan, delay);
            }
            if (isRight || answer == TAKEN || answer == WAITS) {
                return answer;
            }
        }
    }

    /* Makes the word CLOSED, so that no other thread moves it. */
    private ArrivalTime close(long now) {
        for (; ; ) {
            ArrivalTime time = arrival;
            long word = time.word;
            if (ArrivalTime.isFrozen(word)) {
                if (ARRIVAL.compareAndSet(this, time, time.renewed(word & ArrivalTime.VALUE, now, 0))) {
                    count(time, word, ArrivalTime.ELSEWHERE, 0);
                }
            } else if (word < 0 || ArrivalTime.WORD.compareAndSet(time, word, word | ArrivalTime.CLOSED)) {
                return time;
            }
        }
    }

    /* Takes permits that are there; the word must be CLOSED. */
    private void take(ArrivalTime time, long value, long now, long permits) {
        long next = time.after(value, now, permits);
        if (next >= 0) {
            time.word = next | ArrivalTime.CLOSED;
        } else {
            ArrivalTime renewed = time.renewed(value, now, permits);
            renewed.word |= ArrivalTime.CLOSED;
            arrival = renewed;
        }
        count(time, value, next, permits);
    }

    /*
     * The last step with the lock held: opens the word if nothing waits, so that the next thread need not take the
     * lock. A word that is open already is not written: that would undo what other threads take.
     */
    private void lineChanged() {
        waiting = line.size();
        ArrivalTime time = arrival;
        long word = time.word;
        if (line.isEmpty() && word < 0 && !ArrivalTime.isFrozen(word)) {
            time.word = word & ArrivalTime.VALUE;
        }
    }

    @Override
    public void giveUp(Waiter waiter) {
        StackRoom.require();
        synchronized (line) {
            Waited waited = line.remove(waiter);
            if (waited != null) {
                FlightEvents.waited(waited.event);
                lineChanged();
            }
        }
    }

    /*
     * Returns the plan to be scheduled, or NO_PLAN if there is one in time. A plan that is long overdue was lost with
     * its scheduler.
     */
    private long planFor(long now, long delay) {
        boolean isTimely = planned && plannedFor - (now + delay) <= 0 && now - plannedFor < OVERDUE_NANOS;
        return isTimely ? NO_PLAN : planAnew(now, delay);
    }

    private long planAnew(long now, long delay) {
        planned = true;
        plannedFor = now + delay;
        return ++plan;
    }

    private void schedule(long number, long delay) {
        Runnable look = () -> look(number);
        if (scheduler != null && trySchedule(scheduler, look, delay)) {
            return;
        }
        if (delay > 0) {
            Timekeeper.later(look, delay, TimeUnit.NANOSECONDS);
        } else {
            Timekeeper.now(look);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    private static boolean trySchedule(ScheduledExecutorService scheduler, Runnable look, long delay) {
        try {
            scheduler.schedule(look, delay, TimeUnit.NANOSECONDS);
            return true;
        } catch (Throwable refused) {
            return false;
        }
    }

    private void look(long number) {
        long now = nowOrAsPlanned();
        long newPlan = NO_PLAN;
        long own;
        synchronized (line) {
            if (number != plan) {
                return;
            }
            planned = false;
            if (starting && now - startingSince < STUCK_NANOS) {
                newPlan = planAnew(now, STUCK_NANOS);
            } else {
                shift++;
            }
            own = shift;
        }
        if (newPlan != NO_PLAN) {
            schedule(newPlan, STUCK_NANOS);
            return;
        }
        boolean goesOn = true;
        while (goesOn) {
            goesOn = tryStartNext(own);
        }
    }

    private boolean tryStartNext(long own) {
        long now = nowOrAsPlanned();
        long newPlan = NO_PLAN;
        long delay = 0;
        Waiter next;
        synchronized (line) {
            if (own != shift) {
                return false;
            }
            next = letIn(now);
            starting = next != null;
            startingSince = now;
            if (!line.isEmpty()) {
                ArrivalTime time = arrival;
                long wait = time.nanosUntil(time.word & ArrivalTime.VALUE, now, 1);
                delay = starting ? Math.max(wait, STUCK_NANOS) : wait;
                newPlan = planFor(now, delay);
            }
            lineChanged();
        }
        if (newPlan != NO_PLAN) {
            schedule(newPlan, delay);
        }
        if (next == null) {
            return false;
        }
        run(next);
        return true;
    }

    /* Returns the first submission that still waits, if it is due, with its permit taken. */
    private @Nullable Waiter letIn(long now) {
        Iterator<Map.Entry<Waiter, Waited>> waiters = line.entrySet().iterator();
        while (waiters.hasNext()) {
            ArrivalTime time = arrival;
            long value = time.word & ArrivalTime.VALUE;
            if (time.nanosUntil(value, now, 1) > 0) {
                return null;
            }
            Map.Entry<Waiter, Waited> head = waiters.next();
            Waiter first = head.getKey();
            Waited waited = head.getValue();
            waiters.remove();
            FlightEvents.waited(waited.event);
            if (first.admit()) {
                take(time, value, now, 1);
                waits.took(now - waited.since);
                return first;
            }
        }
        return null;
    }

    private static void run(Waiter waiter) {
        try {
            waiter.run();
        } catch (Throwable dropped) {
            Stages.keepInterrupt(dropped); // other waiters are due
        }
    }

    /* If the ticker throws, the planned time counts, so that waiting submissions are admitted anyway. */
    private long nowOrAsPlanned() {
        try {
            return ticker.getAsLong();
        } catch (Throwable broken) {
            synchronized (line) {
                return plannedFor;
            }
        }
    }

    // Settings

    @Override
    public void setRate(long permits, Duration period) {
        Rate rate = Rate.of(permits, period, givenBurst);
        StackRoom.require();
        long now = ticker.getAsLong();
        long newPlan = NO_PLAN;
        long delay = 0;
        synchronized (line) {
            ArrivalTime old = close(now);
            ArrivalTime changed = rate.asFull(now, old.lacking(old.word & ArrivalTime.VALUE, now), old.rate);
            changed.word |= ArrivalTime.CLOSED;
            arrival = changed;
            count(old, old.word, ArrivalTime.ELSEWHERE, 0);
            FlightEvents.limitChange(kind(), name, old.rate.permitsPerSecond(), rate.permitsPerSecond());
            if (!line.isEmpty()) {
                delay = changed.nanosUntil(changed.word & ArrivalTime.VALUE, now, 1);
                newPlan = planAnew(now, delay);
            }
            lineChanged();
        }
        if (newPlan != NO_PLAN) {
            schedule(newPlan, delay);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public RateLimiterStats stats() {
        // The permits of a changed word may not be counted yet, so the sum may be too small for a moment. A lower value
        // than the last reported one is not reported.
        long counted = REPORTED.accumulateAndGet(this, countedNow(), Math::max);
        return new RateLimiterStats(counted, refused.sum(), waiting);
    }

    /*
     * The permits of a replaced word are in `admitted`, too. So the word counts only if it was the present one at the
     * end.
     */
    private long countedNow() {
        for (; ; ) {
            ArrivalTime time = arrival;
            long counted = admitted.sum() + time.counted(time.word);
            if (time.equals(arrival)) {
                return counted;
            }
        }
    }

    @Override
    public void read(Reading to) {
        RateLimiter.super.read(to);
        Rate rate = arrival.rate;
        to.gauge("limit", rate.permitsPerSecond());
        to.gauge("burst", (double) rate.burst);
        waits.read(to, "wait");
    }

    @Override
    public String toString() {
        return "RateLimiter(" + name + ", " + waiting + " waiting)";
    }

    /** When a wait began, and its event for a flight recording. */
    private record Waited(long since, FlightEvents.@Nullable WaitEvent event) {}
}

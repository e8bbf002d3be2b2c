package io.tidegate.guard;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.RetryPolicy;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes attempts one after the other, with pauses. */
@SuppressWarnings("ReferenceEquality") // the very same
final class RetryLoop<T> implements Attempt.Parent<T>, Attempt.InnerAttempts {
    /*
     * `present` is the attempt or pause under way, or STOPPED. Each step of the loop changes it by a compare-and-set
     * from the value before, so a stop cannot go unnoticed between two steps: a stopped loop starts nothing.
     *
     * An attempt may end before its start has returned. The next attempt then starts after that return, not inside it,
     * otherwise a thousand attempts that fail at once would be a thousand calls deep: `turn` says which thread is at
     * the start of an attempt. If the attempt ended on another thread, the next one starts there, because the
     * operation's supplier may still keep the first thread.
     */
    private static final Object NEW = "NEW";
    private static final Object STOPPED = "STOPPED";

    private final Attempt<T> outer;
    private final LayeredGuard guard;
    private final Layer.Retrying layer;
    private final RetryPolicy policy;
    private final AtomicReference<Object> present = new AtomicReference<>(NEW);
    private volatile @Nullable Turn turn;
    private volatile @Nullable Attempt<T> latest;
    private int attempts;

    private static final class Turn {
        final Thread thread = Thread.currentThread();
        boolean starting = true;
        boolean again;
    }

    RetryLoop(Attempt<T> outer, Layer.Retrying layer) {
        this.outer = outer;
        this.guard = outer.root.guard;
        this.layer = layer;
        this.policy = layer.policy();
    }

    @Override
    public void start() {
        layer.onFirst();
        next(NEW);
    }

    private void next(Object before) {
        Turn mine = new Turn();
        Object seen = before;
        do {
            Attempt<T> attempt = new Attempt<>(outer, this);
            latest = attempt;
            if (!present.compareAndSet(seen, attempt)) {
                return;
            }
            if (attempts++ > 0) {
                guard.counts.retried();
            }
            mine.again = false;
            mine.starting = true;
            turn = mine;
            attempt.start();
            mine.starting = false;
            seen = attempt;
        } while (mine.again);
    }

    @Override
    public void ended(Attempt<T> attempt, @Nullable T value, @Nullable Throwable error) {
        if (present.get() != attempt) {
            return;
        }
        attempt.tellIfRefused(error);
        long delay = guard.pauseAfter(policy, attempts, value, error, outer.deadline());
        if (delay < 0) {
            if (present.compareAndSet(attempt, STOPPED)) {
                outer.innerEnded(value, error, attempt.ran());
            }
            return;
        }
        guard.counts.retryPlanned(attempts + 1, error, delay);
        if (delay > 0) {
            pause(attempt, delay);
        } else if (!tryLeaveToStarter()) {
            next(attempt);
        }
    }

    private boolean tryLeaveToStarter() {
        Turn last = turn;
        if (last == null || !last.thread.equals(Thread.currentThread()) || !last.starting) {
            return false;
        }
        last.again = true;
        return true;
    }

    private void pause(Attempt<T> attempt, long delay) {
        Pause pause = new Pause();
        if (!present.compareAndSet(attempt, pause.alarm)) {
            return;
        }
        try {
            guard.time.set(pause.alarm, delay);
        } catch (Throwable noThread) {
            if (present.compareAndSet(pause.alarm, STOPPED)) {
                outer.innerEnded(null, noThread, false);
            }
            return;
        }
        if (present.get() == STOPPED) {
            guard.time.callOff(pause.alarm);
        }
    }

    private final class Pause {
        final Attempt.Alarm alarm = new Attempt.Alarm(this::over);

        private void over() {
            next(alarm);
        }
    }

    @Override
    public void stop(@Nullable Throwable error, Verdict verdict) {
        Object seen = present.getAndSet(STOPPED);
        if (seen instanceof Attempt<?> attempt) {
            attempt.stop(error, verdict);
        } else if (seen instanceof Attempt.Alarm alarm) {
            guard.time.callOff(alarm);
        }
    }

    @Override
    public void cancelOperations() {
        Attempt<T> stopped = latest;
        if (stopped != null) {
            stopped.cancelOperations();
        }
    }
}

package io.tidegate.guard;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.HedgePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attempts beside each other, of which the first that succeeds counts. */
final class HedgeRace<T> implements Attempt.Parent<T>, Attempt.Inside {
    private final Attempt<T> outer;
    private final LayeredGuard guard;
    private final HedgePolicy policy;
    private final boolean countsFirst;

    // Guarded by this; nothing of a user's runs inside
    private final List<Attempt<T>> running = new ArrayList<>(2);
    private @Nullable Attempt<T> first;
    private @Nullable Throwable firstError;
    private Attempt.@Nullable Alarm alarm;
    private int started;
    private boolean noMore;
    private boolean over;

    HedgeRace(Attempt<T> outer, Layer.Race layer) {
        this.outer = outer;
        this.guard = outer.root.guard;
        this.policy = layer.policy();
        this.countsFirst = layer.countsFirst();
    }

    @Override
    public void start() {
        if (countsFirst) {
            policy.onFirst();
        }
        launch();
    }

    private void launch() {
        Attempt<T> attempt = new Attempt<>(outer, this);
        Attempt.Alarm next = null;
        synchronized (this) {
            if (over || (noMore && started > 0)) {
                return;
            }
            running.add(attempt);
            first = first == null ? attempt : first;
            started++;
            noMore = started > policy.maxExtra();
            if (!noMore && policy.delayNanos() < Deadline.left(outer.deadline(), guard.time.nanos())) {
                next = new Attempt.Alarm(this::launchExtra);
            }
            alarm = next;
        }
        if (next != null) {
            guard.time.set(next, policy.delayNanos());
        }
        attempt.start();
    }

    private void launchExtra() {
        int number;
        synchronized (this) {
            if (over || noMore) {
                return;
            }
            number = started + 1;
        }
        if (policy.tryExtra()) {
            guard.tally.hedges(number);
            launch();
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very same
    public void ended(Attempt<T> attempt, @Nullable T value, @Nullable Throwable error) {
        outer.root.attemptEnded(error);
        List<Attempt<T>> losers = List.of();
        Throwable told = error;
        Attempt.Alarm planned;
        synchronized (this) {
            if (over || !running.remove(attempt)) {
                return;
            }
            noMore = true;
            planned = alarm;
            if (attempt == first) {
                firstError = error;
            }
            if (error != null) {
                if (!running.isEmpty()) {
                    return;
                }
                told = firstError;
            }
            over = true;
            losers = List.copyOf(running);
        }
        if (planned != null) {
            guard.time.callOff(planned);
        }
        for (Attempt<T> loser : losers) {
            loser.stopAndCancel();
        }
        outer.insideEnded(value, told, attempt.ran());
    }

    @Override
    public void stop(@Nullable Throwable error, Verdict verdict) {
        List<Attempt<T>> stopped;
        Attempt.Alarm planned;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            stopped = List.copyOf(running);
            planned = alarm;
        }
        if (planned != null) {
            guard.time.callOff(planned);
        }
        for (Attempt<T> attempt : stopped) {
            attempt.stop(error, verdict);
        }
    }
}

package io.tidegate.guard;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.HedgePolicy;
import io.tidegate.stage.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Makes attempts side by side, of which the first success counts. */
final class HedgeRace<T> implements Attempt.Parent<T>, Attempt.InnerAttempts {
    private final Attempt<T> outer;
    private final LayeredGuard guard;
    private final Layer.Hedging layer;
    private final HedgePolicy policy;

    // Guarded by this object's lock, under which no user code runs
    private final List<Attempt<T>> running = new ArrayList<>(2);
    private @Nullable Attempt<T> first;
    private @Nullable Throwable firstError;
    private boolean firstRan;
    private volatile List<Attempt<T>> stopped = List.of();
    private Attempt.@Nullable Alarm alarm;
    private int started;
    private boolean noMore;
    private boolean over;

    HedgeRace(Attempt<T> outer, Layer.Hedging layer) {
        this.outer = outer;
        this.guard = outer.root.guard;
        this.layer = layer;
        this.policy = layer.policy();
    }

    @Override
    public void start() {
        layer.onFirst();
        launch();
    }

    private void launch() {
        Attempt<T> attempt = new Attempt<>(outer, this);
        Attempt.Alarm next = null;
        int number;
        synchronized (this) {
            if (over || (noMore && started > 0)) {
                return;
            }
            running.add(attempt);
            first = first == null ? attempt : first;
            number = ++started;
            noMore = number > policy.maxExtra();
            if (!noMore && policy.delayNanos() < Deadline.left(outer.deadline(), guard.time.nanos())) {
                next = new Attempt.Alarm(this::launchExtra);
            }
            alarm = next;
        }
        if (next != null) {
            try {
                guard.time.set(next, policy.delayNanos());
            } catch (Throwable noThread) {
                Stages.keepInterrupt(noThread); // this attempt goes on alone
            }
        }
        if (number > 1) {
            guard.counts.hedged(number);
        }
        attempt.start();
    }

    private void launchExtra() {
        synchronized (this) {
            if (over || noMore) {
                return;
            }
        }
        if (policy.tryExtra()) {
            launch();
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very same
    public void ended(Attempt<T> attempt, @Nullable T value, @Nullable Throwable error) {
        attempt.tellIfRefused(error);
        Throwable reported = error;
        boolean ran = attempt.ran();
        Attempt.Alarm planned;
        synchronized (this) {
            if (over || !running.remove(attempt)) {
                return;
            }
            noMore = true;
            planned = alarm;
            if (attempt == first) {
                firstError = error;
                firstRan = ran;
            }
            if (error != null) {
                if (!running.isEmpty()) {
                    return;
                }
                reported = firstError;
                ran = firstRan;
            }
            over = true;
            stopped = List.copyOf(running);
        }
        callOff(planned);
        for (Attempt<T> loser : stopped) {
            loser.stop(new CancellationException(), Verdict.UNJUDGED);
        }
        outer.innerEnded(value, reported, ran);
        cancelOperations(); // last, because it runs user code
    }

    @Override
    public void stop(@Nullable Throwable error, Verdict verdict) {
        Attempt.Alarm planned;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            stopped = List.copyOf(running);
            planned = alarm;
        }
        callOff(planned);
        for (Attempt<T> attempt : stopped) {
            attempt.stop(error, verdict);
        }
    }

    private void callOff(Attempt.@Nullable Alarm planned) {
        if (planned != null) {
            guard.time.callOff(planned);
        }
    }

    @Override
    public void cancelOperations() {
        for (Attempt<T> attempt : stopped) {
            attempt.cancelOperations();
        }
    }
}

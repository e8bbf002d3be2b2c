package io.tidegate.guard;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.stage.DecidedFuture;
import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The future that a guard returns: the outermost of what is under way. */
final class Submission<T> extends DecidedFuture<T> implements Attempt.Parent<T> {
    /*
     * What is under way is a tree. An Attempt goes through the layers up to the next retry or hedge, or up to the
     * operation. A retry or hedge makes attempts of its own, through the layers inside of it. Each of these can be
     * ended from inside, by what it runs, and from outside, by a limit or by what it is in; one compare-and-set in each
     * decides by which. What is ended from outside ends what is inside of it first, so that layers are left in reverse
     * order.
     *
     * This future is at the root. `stand` decides whether its end comes from inside or from whoever has it.
     */
    private static final int OPEN = 0;
    private static final int DECIDED = 1;
    private static final int LEFT = 2;

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<Submission> STAND =
            AtomicIntegerFieldUpdater.newUpdater(Submission.class, "stand");

    final LayeredGuard guard;
    private final long began;
    private final Attempt<T> whole;
    private volatile int stand = OPEN;

    Submission(LayeredGuard guard, Supplier<? extends CompletionStage<T>> operation) {
        this.guard = guard;
        this.began = guard.counts.began(guard.counts.ofThread());
        this.whole = new Attempt<>(this, operation);
    }

    void start() {
        whole.start();
    }

    @Override
    public void ended(Attempt<T> attempt, @Nullable T value, @Nullable Throwable error) {
        if (!STAND.compareAndSet(this, OPEN, DECIDED)) {
            return;
        }
        stand = LEFT;
        try {
            attempt.tellIfRefused(error);
            count(value, error);
        } finally {
            publishDecided(value, error);
        }
    }

    /** Ended by whoever has it. */
    @Override
    protected boolean settle(@Nullable Throwable error) {
        if (stand != OPEN) {
            return false;
        }
        StackRoom.requireTwice(); // so that what was entered can be left
        if (!STAND.compareAndSet(this, OPEN, DECIDED)) {
            return false;
        }
        boolean judged = error != null && !(Stages.bare(error) instanceof CancellationException);
        whole.stop(error, judged ? Verdict.JUDGED : Verdict.UNJUDGED);
        stand = LEFT;
        count(null, error);
        return true;
    }

    private void count(@Nullable T value, @Nullable Throwable error) {
        if (error == null) {
            guard.counts.succeeded(value, began, guard.counts.ofThread());
        } else {
            guard.counts.failed(error, this, began);
        }
    }

    @Override
    protected boolean isReturned() {
        return stand == LEFT;
    }
}

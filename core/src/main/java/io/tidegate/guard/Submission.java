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
     * operation. A retry or hedge makes attempts of its own, through the layers inside it. Each node can end from
     * inside, by what it runs, and from outside, by a limit or by the node around it; one compare-and-set in each node
     * decides between them. A node that is ended from outside first ends what is inside it, so that layers are left in
     * reverse order.
     *
     * This future is the root. `stand` decides whether it is ended from inside or by its holder.
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

    /** Its holder ended it. */
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

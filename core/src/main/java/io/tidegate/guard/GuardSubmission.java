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

/** The future that a guard returns: the root of all attempts at one operation. */
final class GuardSubmission<T> extends DecidedFuture<T> implements Attempt.Parent<T> {
    /*
     * The attempts form a tree. An Attempt goes through the layers up to the next retry or hedge, or up to the
     * operation. A retry or hedge makes attempts of its own, through the layers inside it. Each node can be ended from
     * inside, by what it runs, and from outside, by a limit or by the node around it; one compare-and-set in each node
     * decides between the two. A node that is ended from outside first ends what is inside it, so that layers are left
     * in reverse order.
     *
     * This future is the root. `state` decides whether it is ended from inside or by the caller that holds it.
     */
    private static final int OPEN = 0;
    private static final int DECIDED = 1;
    private static final int LEFT = 2;

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<GuardSubmission> STATE =
            AtomicIntegerFieldUpdater.newUpdater(GuardSubmission.class, "state");

    final LayeredGuard guard;
    private final long began;
    private final Attempt<T> whole;
    private volatile int state = OPEN;

    GuardSubmission(LayeredGuard guard, Supplier<? extends CompletionStage<T>> operation) {
        this.guard = guard;
        this.began = guard.counts.began(guard.counts.ofThread());
        this.whole = new Attempt<>(this, operation);
    }

    void start() {
        whole.start();
    }

    @Override
    public void ended(Attempt<T> attempt, @Nullable T value, @Nullable Throwable error) {
        if (!STATE.compareAndSet(this, OPEN, DECIDED)) {
            return;
        }
        state = LEFT;
        try {
            attempt.tellIfRefused(error);
            count(value, error);
        } finally {
            publishDecided(value, error);
        }
    }

    /** Called when the caller that holds this future ends it. */
    @Override
    protected boolean settle(@Nullable Throwable error) {
        if (state != OPEN) {
            return false;
        }
        StackRoom.requireTwice(); // so that what was entered can be left
        if (!STATE.compareAndSet(this, OPEN, DECIDED)) {
            return false;
        }
        boolean judged = error != null && !(Stages.bare(error) instanceof CancellationException);
        whole.stop(error, judged ? Verdict.JUDGED : Verdict.UNJUDGED);
        state = LEFT;
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
        return state == LEFT;
    }
}

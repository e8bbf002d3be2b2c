package io.tidegate.rate;

import io.tidegate.gate.WaitingGate;
import io.tidegate.stage.DecidedFuture;
import io.tidegate.stage.EndHook;
import io.tidegate.stage.Stages;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The returned future of a submission that may wait for its permit. */
final class WaitingSubmission<T> extends DecidedFuture<T> implements WaitingGate.Waiter {
    /*
     * One compare-and-set from WAITING decides whether the operation starts: that of the limiter, which spends the
     * permit if it wins, or that of a thread that ends this future. Once the limiter has won, an end of this future
     * does not prevent the start. If the stack ends before a given-up entry has left the line, the limiter skips the
     * entry when its turn comes.
     */
    private static final int WAITING = 0;
    private static final int LET_IN = 1;
    private static final int GIVEN_UP = 2;

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicIntegerFieldUpdater<WaitingSubmission> STATE =
            AtomicIntegerFieldUpdater.newUpdater(WaitingSubmission.class, "state");

    private final ArrivalLimiter limiter;
    private @Nullable Supplier<? extends CompletionStage<T>> operation;

    @SuppressWarnings("unused") // written through STATE
    private volatile int state = WAITING;

    WaitingSubmission(ArrivalLimiter limiter, Supplier<? extends CompletionStage<T>> operation) {
        this.limiter = limiter;
        this.operation = operation;
    }

    @Override
    public boolean admit() {
        return STATE.compareAndSet(this, WAITING, LET_IN);
    }

    @Override
    public void run() {
        Supplier<? extends CompletionStage<T>> supplier = operation;
        operation = null;
        CompletionStage<T> stage;
        try {
            stage = ArrivalLimiter.started(supplier);
        } catch (Throwable thrown) {
            end(null, thrown);
            Stages.keepInterrupt(thrown);
            return;
        }
        follow(stage, new EndHook<>(this));
    }

    @Override
    protected boolean settle(@Nullable Throwable error) {
        if (STATE.compareAndSet(this, WAITING, GIVEN_UP)) {
            limiter.giveUp(this);
            operation = null;
        }
        return !isDone();
    }

    @Override
    protected boolean isReturned() {
        return true;
    }
}

package io.tidegate.bulkhead;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes the permit, runs the supplier, and hands the permit to whatever will end the submission. */
final class PermitBulkhead implements AsyncBulkhead {
    private final Permits permits;
    private final String name;
    private final @Nullable BulkheadListener listener;
    private final PermitLifetime lifetime;
    private final LongAdder rejected = new LongAdder();
    private final RefusedStage<?> refusal;

    PermitBulkhead(int maxInFlight, String name, @Nullable BulkheadListener listener, PermitLifetime lifetime) {
        this.permits = new Permits(maxInFlight);
        this.name = name;
        this.listener = listener;
        this.lifetime = lifetime;
        this.refusal = new RefusedStage<>(new BulkheadRejectedException(name, maxInFlight));
    }

    @Override
    public <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation) {
        requireNonNull(operation, "operation");
        if (!permits.tryTake()) {
            return refuse();
        }
        tellAdmitted();
        CompletionStage<T> stage;
        try {
            stage = operation.get();
        } catch (Throwable thrown) {
            return fail(thrown);
        }
        if (stage == null) {
            return fail(new NullPointerException("operation: supplied null (expected: a CompletionStage)"));
        }
        if (isOver(stage)) {
            giveBack();
            tellReleased(null);
            return stage;
        }
        return follow(stage);
    }

    private <T> CompletionStage<T> refuse() {
        rejected.increment();
        tellRejected();
        @SuppressWarnings("unchecked") // it has no value, so it is a stage of any type
        CompletionStage<T> stage = (CompletionStage<T>) refusal;
        return stage;
    }

    private <T> CompletionStage<T> fail(Throwable error) {
        giveBack();
        tellReleased(error);
        keepInterrupt(error);
        return CompletableFuture.failedFuture(error);
    }

    /*
     * Whether the operation is done and may come back as it is. Only classes whose code we know are asked: a subclass may
     * answer as it likes. A failed one whose error the listener must be told is followed instead.
     */
    private boolean isOver(CompletionStage<?> stage) {
        if (!isKnown(stage)) {
            return false;
        }
        CompletableFuture<?> future = (CompletableFuture<?>) stage;
        return future.isDone() && (listener == null || !future.isCompletedExceptionally());
    }

    private static boolean isKnown(CompletionStage<?> stage) {
        Class<?> type = stage.getClass();
        return type == CompletableFuture.class || type == Submission.class || type == RefusedStage.class;
    }

    private <T> CompletionStage<T> follow(CompletionStage<T> stage) {
        CompletableFuture<T> returned;
        Hook<T> hook;
        try {
            if (lifetime == PermitLifetime.OPERATION) {
                returned = new CompletableFuture<>();
                hook = new OperationHook<>(this, returned);
            } else {
                Submission<T> submission = new Submission<>(this);
                returned = submission;
                hook = submission;
            }
        } catch (Throwable outOfMemory) {
            return fail(outOfMemory);
        }
        observe(stage, hook);
        return returned;
    }

    /*
     * Of a stage that may be anything, only whenComplete is relied upon. What it makes of an error is a CompletionException
     * with a stack trace, for a dependent that nobody looks at; handle makes none.
     */
    private static <T> void observe(CompletionStage<T> stage, Hook<T> hook) {
        try {
            if (isKnown(stage)) {
                stage.handle(hook);
            } else {
                stage.whenComplete(hook);
            }
        } catch (Throwable thrown) {
            hook.accept(null, thrown);
            keepInterrupt(thrown);
        }
    }

    private static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called once for each admission, by whoever won the decision that ended it; {@link #tellReleased} follows. */
    void giveBack() {
        permits.giveBack();
    }

    void tellReleased(@Nullable Throwable error) {
        if (listener != null) {
            try {
                listener.onReleased(TerminalKind.of(error), error);
            } catch (Throwable dropped) {
                keepInterrupt(dropped);
            }
        }
    }

    private void tellAdmitted() {
        if (listener != null) {
            try {
                listener.onAdmitted();
            } catch (Throwable dropped) {
                keepInterrupt(dropped);
            }
        }
    }

    private void tellRejected() {
        if (listener != null) {
            try {
                listener.onRejected();
            } catch (Throwable dropped) {
                keepInterrupt(dropped);
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int maxInFlight() {
        return permits.limit();
    }

    @Override
    public int inFlight() {
        return permits.out();
    }

    @Override
    public int available() {
        return permits.limit() - permits.out();
    }

    @Override
    public BulkheadStats stats() {
        Permits.Totals totals = permits.totals();
        long refused = rejected.sum();
        return new BulkheadStats(totals.taken() + refused, totals.taken(), refused, totals.returned());
    }

    @Override
    public String toString() {
        return "AsyncBulkhead(" + name + ", " + inFlight() + " of " + maxInFlight() + " in flight)";
    }
}

package io.tidegate.group;

import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A task of {@code submitStage}: its body returns a stage, and the task is in flight until the stage has ended. The
 * task itself is the stage's callback.
 */
final class AsyncTask<T> extends Task<T> implements BiConsumer<T, @Nullable Throwable> {
    /** Whether the stage has ended. A stage may signal twice; the task's permits come back once. */
    private final AtomicBoolean over = new AtomicBoolean();

    private boolean hasStage;

    /** Whether the body was asked to stop, but returned a stage. */
    private boolean stopped;

    /**
     * Whether the thread that is about to register the callback has checked its stack for room, as the stage may end in
     * that call. Another thread may read true, too, and then does not check.
     */
    private boolean hasRoom;

    private long start;

    /** Whether the submitter has run the body: then no group has the task, and it holds no permit. */
    private boolean refused;

    /** The JDK links the step that ends a stage at its first use, and there may be no memory for that later. */
    static void warmUp() {
        new AtomicBoolean().compareAndSet(false, true);
    }

    /** The body as listeners and handlers see it: it starts the work, and waits for the stage. */
    record Body<T>(Callable<? extends CompletionStage<T>> starter) implements Callable<T> {
        @Override
        public T call() throws Exception {
            CompletableFuture<T> ended = new CompletableFuture<>();
            starter.call().whenComplete((value, error) -> {
                if (error == null) {
                    ended.complete(value);
                } else {
                    ended.completeExceptionally(error);
                }
            });
            return ended.get();
        }
    }

    AsyncTask(Group group, String taskId, Object work) {
        super(group, taskId, work);
    }

    @Override
    Callable<?> callable() {
        return ((Body<T>) groupTask().callable()).starter();
    }

    @Override
    @Nullable
    Task<?> afterBody(TaskLoop loop, long start, @Nullable Object value, @Nullable Throwable thrown) {
        CompletionStage<T> stage = stage(value);
        if (stage == null) {
            return super.afterBody(loop, start, null, thrown != null ? thrown : noStage());
        }
        this.start = start;
        hasStage = true;
        stopped = leaveBody(loop.thread(), RETURNING);
        Thread.interrupted();
        Task<?> next = (Task<?>) group.endBody(loop.time());
        if (!become(RETURNING, PENDING)) {
            stopped = true;
            become(RETURNING_STOPPED, PENDING);
        }
        executor().start(next);
        follow(stage);
        return null;
    }

    @Override
    void afterBodyHere(long start, @Nullable Object value, @Nullable Throwable thrown) {
        CompletionStage<T> stage = stage(value);
        if (stage == null) {
            super.afterBodyHere(start, null, thrown != null ? thrown : noStage());
            return;
        }
        this.start = start;
        hasStage = true;
        refused = true;
        become(null, PENDING);
        try {
            executor().addStageOfCaller(this);
        } catch (OutOfMemoryError noMemory) {
            hasRoom = true; // submit has checked
            accept(null, noMemory); // without its place in the set no stop could find the task
            return;
        }
        follow(stage);
    }

    @SuppressWarnings("unchecked") // the starter of an AsyncTask<T> returns such a stage
    private @Nullable CompletionStage<T> stage(@Nullable Object value) {
        return value instanceof CompletionStage<?> ? (CompletionStage<T>) value : null;
    }

    private static Throwable noStage() {
        try {
            return new NullPointerException("callable: returned no CompletionStage (expected: one that is not null)");
        } catch (OutOfMemoryError noMemory) {
            return noMemory;
        }
    }

    private void follow(CompletionStage<T> stage) {
        hasRoom = true;
        try {
            stage.whenComplete(this);
        } catch (Throwable hostile) {
            accept(null, hostile);
        }
        hasRoom = false;
        if (stopped || executor().isStopped()) {
            cancelWithRoom(false); // a thread that stops tasks may have looked before the stage was there
        }
    }

    /** The stage has ended. */
    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        if (!hasRoom) {
            StackRoom.require();
        }
        if (!over.compareAndSet(false, true)) {
            return;
        }
        long end = System.nanoTime();
        boolean mine = become(PENDING, ENDING);
        if (!refused) {
            executor().start((Task<?>) group.endFlight(this, end));
            boolean cancelled = !mine || stopped;
            executor().recording().holdEnds(this, cancelled ? TaskStatus.CANCELLED : statusOf(unwrap(error)));
        }
        if (mine && stopped) {
            endTaken();
        } else if (mine) {
            finishPending(result(error == null ? value : null, unwrap(error), start, end));
        } else {
            executor().forgetIfRetired((Group) group);
        }
    }

    /** Ends the handle; a pending stage keeps the permits. */
    @Override
    void endTaken() {
        finishPending(hasStage ? cancelled(start, System.nanoTime()) : cancelled());
    }

    private void finishPending(Object end) {
        if (refused) {
            executor().removeStageOfCaller(this);
            endRunHere(end);
        } else {
            finish(end, null);
        }
    }

    private static @Nullable Throwable unwrap(@Nullable Throwable error) {
        return error == null ? null : Stages.unwrapped(error);
    }
}

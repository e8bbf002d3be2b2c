package io.tidegate.bench;

import dev.failsafe.spi.DefaultScheduledFuture;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A scheduler for Failsafe that runs each task at once on the submitting thread, as the other contestants do. */
public final class SameThread {
    private static final ScheduledFuture<?> OVER = new DefaultScheduledFuture<>();

    private SameThread() {}

    /** Runs the task, without its delay. */
    public static ScheduledFuture<?> schedule(Callable<?> task, long delay, TimeUnit unit) {
        try {
            task.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return OVER;
    }
}

package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timer of a group cannot be set. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WaitLimitTest {
    private static final int PATIENCE_SECONDS = 300;
    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The first look comes at once, when nothing is overdue; for the next ones there is no memory at first. */
    private static final class PoorTimer extends ScheduledThreadPoolExecutor {
        final AtomicInteger asked = new AtomicInteger();

        PoorTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable look, long delay, TimeUnit unit) {
            int before = asked.getAndIncrement();
            if (before == 1 || before == 2) {
                throw new OutOfMemoryError("for a test");
            }
            return super.schedule(look, before == 0 ? 0 : delay, unit);
        }
    }

    @Test
    @DisplayName("GX-9 no memory to set the timer again: the task that waits is refused all the same")
    void look_timerCannotBeSet_waiterIsRefused() {
        PoorTimer timer = new PoorTimer();
        CountDownLatch release = new CountDownLatch(1);
        VirtualThreadGroupExecutor executor = new VirtualThreadGroupExecutor(
                GroupPolicy.builder().globalMaxInFlight(1).build());
        try {
            executor.submit("a", "holder", () -> release.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            Task<String> waiting = (Task<String>) executor.submit("a", "waiting", () -> "never");

            new WaitLimit(executor, LIMIT_NANOS, timer).watch((Group) waiting.group);

            assertThatThrownBy(() -> waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            RejectedTaskException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(RejectedTaskException.WAIT_TIMEOUT));
        } finally {
            release.countDown();
            executor.close();
            timer.shutdownNow();
        }
    }
}

package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task between the return of its body and the return of its permit to run, which waits for a lock. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReturningStageTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "GX-5 GX-11 cancel while a body has just returned its stage waits for nobody, and the task is CANCELLED")
    void cancel_permitIsNotBackYet_isAnsweredAtOnce(boolean mayInterrupt) {
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<String> stage = new CompletableFuture<>();
        try (GroupExecutor executor =
                GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder().build())) {
            TaskHandle<String> handle = executor.submitStage("group", "task", () -> {
                goOn.await();
                return stage;
            });
            Task<?> task = (Task<?>) handle;
            await(() -> task.runsOn() != null);
            task.group.lock.lock();
            try {
                goOn.countDown();
                await(() -> task.runsOn() == null);

                assertThat(handle.cancel(mayInterrupt)).isTrue();
                assertThat(handle.cancel(mayInterrupt)).isTrue();
                assertThat(handle.isDone()).isFalse();
            } finally {
                task.group.lock.unlock();
            }
            assertThat(handle.join().status()).isEqualTo(TaskStatus.CANCELLED);
            assertThat(stage).isNotDone();
            stage.complete("late");
        }
    }

    private static void await(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}

package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CancelTest extends GroupExecutorContract {
    private final Gate gate = gate();

    private TaskHandle<String> holder(GroupExecutor executor) {
        TaskHandle<String> holder = executor.submit("a", "holder", gate.holding("done"));
        gate.awaitArrival();
        return holder;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("GX-11 a waiting task leaves the queue at once, and its place is free")
    void cancel_waiting_endsAtOnceAndFreesPlace(boolean mayInterrupt) {
        Meter runs = new Meter();
        GroupExecutor executor =
                executor(noWaiting().defaultQueueThresholdPerGroup(1).globalQueueThreshold(1));
        holder(executor);
        for (int i = 0; i < 100; i++) {
            TaskHandle<Object> waiting = executor.submit("a", "waiting", () -> runs.around(null));
            assertThat(waiting.isDone()).isFalse();

            assertThat(waiting.cancel(mayInterrupt)).isTrue();

            assertThat(waiting.isDone()).isTrue();
            assertThat(statusOf(waiting)).isEqualTo(TaskStatus.CANCELLED);
            assertThat(waiting.cancel(mayInterrupt)).as("again").isFalse();
            assertThat(busy(executor, "a").waiting()).isZero();
            assertThat(executor.stats().waiting()).isZero();
        }
        gate.open();
        eventually("idle", () -> isIdle(executor.stats()));
        assertThat(runs.entries()).isZero();
        assertThat(gate.interrupts()).isZero();
    }

    @Test
    @DisplayName("GX-11 a cancelled waiting task is not retained while the queue lives on")
    void cancel_waiting_isCollected() {
        GroupExecutor executor = executor();
        holder(executor);
        executor.submit("a", "first", () -> "first");
        List<WeakReference<Object>> traces = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            byte[] body = new byte[1];
            traces.add(new WeakReference<>(body));
            executor.submit("a", "waiting", () -> body.length).cancel(false);
        }
        executor.submit("a", "last", () -> "last");

        eventually("all is collected", () -> {
            System.gc();
            return traces.stream().allMatch(trace -> trace.refersTo(null));
        });
        assertThat(busy(executor, "a").waiting()).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-11 a running task is interrupted if asked, and ends when its body has really ended")
    void cancelTrue_running_endsWithTheBody() {
        GroupExecutor executor = executor();
        Gate cleanUp = gate();
        TaskHandle<String> handle = executor.submit("a", "1", () -> {
            try {
                gate.pass();
            } finally {
                cleanUp.passDeaf();
            }
            return "never";
        });
        gate.awaitArrival();
        TaskHandle<String> next = executor.submit("a", "2", () -> "next");

        assertThat(handle.cancel(true)).isTrue();

        cleanUp.awaitArrival();
        assertThat(handle.isDone()).isFalse();
        assertThat(next.isDone()).isFalse();
        assertThat(busy(executor, "a").running()).isEqualTo(1);
        assertThat(busy(executor, "a").waiting()).isEqualTo(1);
        cleanUp.open();
        assertThat(statusOf(handle)).isEqualTo(TaskStatus.CANCELLED);
        assertThat(resultOf(next).value()).isEqualTo("next");
    }

    @Test
    @DisplayName("GX-11 cancel(false) on a running task does nothing and answers false")
    void cancelFalse_running_doesNothing() {
        GroupExecutor executor = executor();
        TaskHandle<String> running = holder(executor);

        assertThat(running.cancel(false)).isFalse();

        assertThat(running.isDone()).isFalse();
        gate.open();
        assertThat(statusOf(running)).isEqualTo(TaskStatus.SUCCESS);
        assertThat(gate.interrupts()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("GX-11 cancel answers false after the end, and changes nothing")
    void cancel_ended_answersFalse(boolean mayInterrupt) {
        GroupExecutor executor = executor();
        TaskHandle<String> success = executor.submit("a", "1", () -> "done");
        TaskHandle<String> failed = executor.submit("a", "2", () -> {
            throw new IllegalStateException("failed");
        });
        GroupResult<String> first = resultOf(success);
        GroupResult<String> second = resultOf(failed);

        assertThat(success.cancel(mayInterrupt)).isFalse();
        assertThat(failed.cancel(mayInterrupt)).isFalse();

        assertThat(resultOf(success)).isEqualTo(first);
        assertThat(resultOf(failed)).isEqualTo(second);
    }

    @Test
    @DisplayName("GX-11 a task that cancels itself sees its own interrupt, and the next one does not")
    void cancelTrue_fromInsideTheBody_isSeenThereOnly() {
        GroupExecutor executor = executor();
        AtomicReference<TaskHandle<Boolean>> self = new AtomicReference<>();
        TaskHandle<Boolean> handle = executor.submit("a", "1", () -> {
            gate.pass();
            self.get().cancel(true);
            return Thread.currentThread().isInterrupted();
        });
        self.set(handle);
        TaskHandle<Boolean> next =
                executor.submit("a", "2", () -> Thread.currentThread().isInterrupted());

        gate.open();

        assertThat(resultOf(handle).value()).isTrue();
        assertThat(resultOf(next).value()).isFalse();
    }

    @Test
    @DisplayName(
            "GX-11 an interrupt that a body leaves on its thread does not reach the next task, nor the listener of it")
    void body_leavesInterruptFlag_nextTaskDoesNotSeeIt() {
        AtomicBoolean seenByListener = new AtomicBoolean();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onStarted(GroupTask<?> task) {
                if (Thread.currentThread().isInterrupted()) {
                    seenByListener.set(true);
                }
            }

            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                Thread.currentThread().interrupt();
            }
        }));
        holder(executor);
        List<TaskHandle<Boolean>> handles = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            handles.add(executor.submit("a", "task", () -> {
                boolean seen = Thread.currentThread().isInterrupted();
                Thread.currentThread().interrupt();
                return seen;
            }));
        }

        gate.open();

        assertThat(handles)
                .allSatisfy(handle -> assertThat(resultOf(handle).value()).isFalse());
        assertThat(seenByListener).isFalse();
    }

    @Test
    @DisplayName(
            "GX-11 very many quick tasks with random cancel(true): none sees an interrupt that was not meant for it")
    void cancelTrue_manyQuickTasks_noStrayInterrupt() {
        GroupExecutor executor = executor();
        List<String> keys = List.of("a", "b");
        Quick.Counts counts = new Quick.Counts();
        AtomicBoolean over = new AtomicBoolean();
        Thread canceller = beside(() -> cancelAtRandom(counts, over));
        Quick[] window = new Quick[64];
        int submitted = 0;
        while (submitted < 200_000 || (counts.hits.sum() == 0 && submitted < 30_000_000)) {
            int i = submitted++;
            Quick oldest = window[i % window.length];
            if (oldest != null) {
                resultOf(oldest.handle);
            }
            Quick task = new Quick(counts);
            task.handle = executor.submit(keys.get(i % 2), "task", task::run);
            window[i % window.length] = task;
        }
        for (Quick task : window) {
            assertThat(statusOf(task.handle)).isIn(TaskStatus.SUCCESS, TaskStatus.CANCELLED);
        }
        over.set(true);
        awaitEnd(canceller);

        assertThat(counts.strays.sum()).as("strays").isZero();
        assertThat(counts.hits.sum()).as("interrupts that were meant").isPositive();
        assertThat(executor.stats().completed()).isEqualTo(submitted);
    }

    /** Cancels some of the tasks that have just begun to run, near their end as often as not. */
    private static void cancelAtRandom(Quick.Counts counts, AtomicBoolean over) {
        Random random = new Random(5);
        Quick last = null;
        while (!over.get()) {
            Quick victim = counts.running;
            if (victim != last && victim.handle != null && random.nextInt(3) == 0) {
                victim.meant = true;
                for (int spins = random.nextInt(30); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                victim.handle.cancel(true);
            }
            last = victim;
        }
    }

    private static final class Quick {
        static final class Counts {
            final LongAdder strays = new LongAdder();
            final LongAdder hits = new LongAdder();
            volatile Quick running;
        }

        private final Counts counts;
        private volatile TaskHandle<?> handle;
        private volatile boolean meant;

        Quick(Counts counts) {
            this.counts = counts;
        }

        private Object run() {
            look();
            counts.running = this;
            for (int spins = 0; spins < 10; spins++) {
                Thread.onSpinWait();
            }
            look();
            return null;
        }

        /** Checks for an interrupt before it checks whether an interrupt was meant for this task. */
        private void look() {
            if (Thread.currentThread().isInterrupted()) {
                (meant ? counts.hits : counts.strays).increment();
            }
        }
    }
}

package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that leave no room for an object in the heap. */
class FullHeapTest {
    @Test
    @Timeout(600)
    @DisplayName("GX-10 a task that fills the heap to the last byte ends, and its permits come back")
    void end_heapFull_permitsComeBack(@TempDir Path folder) throws Exception {
        String printed = Jvm.run(
                folder,
                Jvm.JDK.resolve("java").toString(),
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-cp",
                Jvm.classPath(),
                Program.class.getName());

        assertThat(printed).endsWith("nothing lost" + System.lineSeparator());
    }

    /** Each time a task fills the heap, and main makes room again once its handle or its thread has ended. */
    static final class Program {
        private static final int ROUNDS = 3;
        private static final long POLL_NANOS = 1_000_000;

        private static volatile Object heap;
        private static volatile Thread filler;
        private static volatile boolean mayFill; // false while main still needs memory to begin its wait
        private static volatile Throwable uncaught;
        private static volatile CompletableFuture<String> operation;

        private Program() {}

        public static void main(String[] none) {
            Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught = thrown);
            for (int round = 0; round < ROUNDS; round++) {
                play("plain", GroupPolicy.builder(), Program::handle);
                play(
                        "listener",
                        GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {}),
                        Program::handle);
                play("fresh threads", GroupPolicy.builder().freshThreads(), Program::handle);
                play("future", GroupPolicy.builder(), executor -> {
                    CompletableFuture<?> future = executor.submit("a", "fills", Program::fillAndReturn)
                            .toCompletableFuture();
                    return future::isDone;
                });
                play("view", GroupPolicy.builder(), executor -> {
                    Future<?> future = executor.executor("a").submit(Program::fillAndReturn);
                    return future::isDone;
                });
                play("stage", GroupPolicy.builder(), executor -> {
                    return executor.submitStage("a", "fills", () -> {
                        fillAndReturn();
                        return operation;
                    })::isDone;
                });
                playBusy("cancelled", TaskStatus.CANCELLED, GroupPolicy.builder(), executor -> {
                    TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");
                    fillAndReturn();
                    waiting.cancel(false);
                    return waiting;
                });
                playBusy(
                        "caller",
                        null,
                        GroupPolicy.builder().globalQueueThreshold(0).rejectionPolicy(RejectionPolicy.CALLER_RUNS),
                        executor -> executor.submit("a", "fills", Program::fillAndReturn));
            }
            System.out.println("nothing lost");
        }

        private interface Filling {
            /** Starts it, and reports its end. */
            BooleanSupplier start(GroupExecutor executor);
        }

        private static BooleanSupplier handle(GroupExecutor executor) {
            return executor.submit("a", "fills", Program::fillAndReturn)::isDone;
        }

        private static void play(String name, GroupPolicy.Builder policy, Filling filling) {
            GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(
                    policy.globalMaxInFlight(1).build());
            executor.submit("a", "first", () -> "done").join(); // what it needs is there
            filler = null;
            operation = new CompletableFuture<>();
            mayFill = false;
            BooleanSupplier ended = filling.start(executor);
            mayFill = true;
            while (!ended.getAsBoolean() && (filler == null || filler.isAlive())) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            heap = null;
            operation.complete("done"); // if there was memory to wait for it
            check(ended.getAsBoolean(), name, executor);
            check(executor.submit("b", "next", () -> "done").join().status() == TaskStatus.SUCCESS, name, executor);
            check(executor.stats().inFlight() == 0, name, executor);
            executor.close();
        }

        private interface Submission {
            TaskHandle<String> submit(GroupExecutor executor);
        }

        /** Fills the heap from main, while another task has the permit. */
        private static void playBusy(
                String name, TaskStatus expected, GroupPolicy.Builder policy, Submission submission) {
            GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(
                    policy.globalMaxInFlight(1).build());
            operation = new CompletableFuture<>();
            mayFill = true;
            TaskHandle<String> holder = executor.submitStage("a", "holder", () -> operation);
            TaskHandle<String> handle = submission.submit(executor);
            heap = null;
            check(handle.isDone(), name, executor);
            check(expected == null || handle.join().status() == expected, name, executor);
            operation.complete("done");
            check(holder.join().status() == TaskStatus.SUCCESS, name, executor);
            executor.close();
        }

        private static void check(boolean holds, String name, GroupExecutor executor) {
            if (!holds) {
                IllegalStateException failure = new IllegalStateException(name + ": " + executor, uncaught);
                failure.printStackTrace(System.out);
                Runtime.getRuntime().halt(1);
            }
        }

        private static String fillAndReturn() {
            while (!mayFill) {
                Thread.yield();
            }
            filler = Thread.currentThread();
            try {
                for (; ; ) {
                    heap = new Object[] {heap};
                }
            } catch (OutOfMemoryError full) {
                return "done";
            }
        }
    }
}

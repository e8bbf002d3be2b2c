package io.tidegate.group.contract;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import io.tidegate.group.TaskStatus;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Code of users that calls back at the wrong moment, and bodies that answer an interrupt in their own way. */
class HostileEdgeTest extends GroupExecutorContract {
    private final Gate gate = gate();

    private TaskHandle<String> running(GroupExecutor executor) {
        TaskHandle<String> running = executor.submit("a", "running", () -> {
            gate.pass();
            return "never";
        });
        gate.awaitArrivals(1);
        return running;
    }

    @Test
    @DisplayName("GX-17 close in onCompleted of one of several cancelled tasks does not wait for the later ones")
    void close_fromOnCompletedDuringShutdownGroup_returns() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                if (task.taskId().equals("first")) {
                    self.get().close();
                }
            }
        }));
        self.set(executor);
        running(executor);
        TaskHandle<String> first = executor.submit("a", "first", () -> "never");
        TaskHandle<String> second = executor.submit("a", "second", () -> "never");

        executor.shutdownGroup("a");

        assertThat(resultOf(first).status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(resultOf(second).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-17 close from a dependent of one of several cancelled tasks does not wait for the others")
    void close_fromDependentDuringShutdownGroup_returns() {
        closeFromDependent(executor -> executor.shutdownGroup("a"));
    }

    @Test
    @DisplayName(
            "GX-17 close inside close, in a dependent of one of several cancelled tasks, does not wait for the others")
    void close_fromDependentDuringClose_returns() {
        closeFromDependent(GroupExecutor::close);
    }

    private void closeFromDependent(Consumer<GroupExecutor> cancelsAll) {
        GroupExecutor executor = executor();
        running(executor);
        TaskHandle<String> first = executor.submit("a", "first", () -> "never");
        TaskHandle<String> second = executor.submit("a", "second", () -> "never");
        first.toCompletableFuture().thenRun(executor::close);

        cancelsAll.accept(executor);

        assertThat(resultOf(second).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    @DisplayName("GX-12 the most negative time-out is no time at all")
    void join_mostNegativeTimeout_timesOut() {
        TaskHandle<String> running = running(executor());

        assertThatThrownBy(() -> running.join(Long.MIN_VALUE, NANOSECONDS)).isInstanceOf(TimeoutException.class);
    }

    @Test
    @DisplayName("GX-10 a callable that returns something else than a stage fails its task")
    @SuppressWarnings({"unchecked", "rawtypes"}) // that is how it happens
    void submitStage_notAStage_fails() {
        Callable<? extends CompletionStage<String>> wrong = (Callable) () -> "no stage";

        TaskHandle<String> handle = executor().submitStage("a", "1", wrong);

        assertThat(resultOf(handle).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(resultOf(handle).error()).hasMessageContaining("CompletionStage");
    }

    @Test
    @DisplayName("GX-16 a body whose channel throws when it is interrupted keeps nobody else from ending")
    void shutdownGroup_interruptThrows_waitingEndAnyway() {
        GroupExecutor executor = executor();
        executor.submit("a", "running", () -> new HostileChannel().block(gate));
        gate.awaitArrivals(1);
        TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "never");

        executor.shutdownGroup("a");

        assertThat(resultOf(waiting).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    private static final class HostileChannel extends AbstractInterruptibleChannel {
        @Override
        protected void implCloseChannel() {
            throw new IllegalStateException("hostile");
        }

        String block(Gate gate) throws IOException, InterruptedException {
            begin();
            try {
                gate.pass();
            } finally {
                end(false);
            }
            return "never";
        }
    }

    @Test
    @DisplayName("GX-10 a socket read that a cancel has interrupted is CANCELLED, whatever it throws")
    void cancel_bodyReadsSocket_isCancelled() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            Gate reading = gate();
            reading.open();
            TaskHandle<Integer> handle = executor().submit("a", "1", () -> {
                reading.pass();
                return client.getInputStream().read();
            });
            reading.awaitArrivals(1);

            assertThat(handle.cancel(true)).isTrue();

            assertThat(resultOf(handle).status()).isEqualTo(TaskStatus.CANCELLED);
            assertThat(accepted.isConnected()).isTrue();
        }
    }

    @Test
    @DisplayName("GX-16 a body that restores the flag and throws something unchecked is CANCELLED")
    void shutdownGroup_bodyWrapsInterrupt_isCancelled() {
        GroupExecutor executor = executor();
        TaskHandle<String> handle = executor.submit("a", "1", () -> {
            try {
                gate.pass();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UncheckedIOException(new InterruptedIOException());
            }
            return "never";
        });
        gate.awaitArrivals(1);

        executor.shutdownGroup("a");

        assertThat(resultOf(handle).status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(resultOf(handle).error()).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    @DisplayName("GX-10 a body that was not interrupted by the executor is FAILED with the flag set too")
    void run_bodySetsFlagAndThrows_isFailed() {
        TaskHandle<String> handle = executor().submit("a", "1", () -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("its own");
        });

        assertThat(resultOf(handle).status()).isEqualTo(TaskStatus.FAILED);
    }
}

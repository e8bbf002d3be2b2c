package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls at every depth near the end of a thread's stack: what throws there has changed nothing. */
class StackEndTest extends GroupExecutorContract {
    /**
     * How many frames the calls go back from the end: more than the room that a call needs, however small the frames
     * are.
     */
    private static final int CALLS = 2_000;

    /** After so many calls that had room, the end of the stack is far enough. */
    private static final int ENOUGH = 50;

    /**
     * The step between frames in which a call is made. A call in each frame would take long, because an overflow is
     * slow.
     */
    private static final int STEP = Integer.getInteger("tidegate.frameStep", 8);

    private static final int ROUNDS = 2;
    private static final long STACK_BYTES = 256 * 1024;

    private static final AtomicInteger DIVES = new AtomicInteger();

    private final Gate gate = gate();

    /**
     * Makes the call near the end of the stack, and then in each few frames further out; each dive begins elsewhere.
     */
    private static final class Dive {
        final IntFunction<@Nullable TaskHandle<?>> call;
        final @Nullable TaskHandle<?>[] answers = new TaskHandle<?>[CALLS];
        int framesToCall = DIVES.getAndIncrement() % STEP;
        int calls;
        int overflows;
        int returned;

        Dive(IntFunction<@Nullable TaskHandle<?>> call) {
            this.call = call;
        }

        @SuppressWarnings("InfiniteRecursion") // on purpose
        void down() {
            try {
                down();
            } catch (StackOverflowError end) {
                // from here on back
            }
            if (framesToCall-- == 0 && returned < ENOUGH && calls < CALLS) {
                framesToCall = STEP - 1;
                int mine = calls++;
                try {
                    answers[mine] = call.apply(mine);
                    returned++;
                } catch (StackOverflowError tooDeep) {
                    overflows++;
                }
            }
        }

        List<TaskHandle<?>> run() {
            Thread thread = new Thread(null, this::down, "dive", STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
            awaitEnd(thread);
            assertThat(overflows).as("calls that were too deep").isPositive();
            assertThat(returned).as("calls with room").isEqualTo(ENOUGH);
            return Arrays.stream(answers).filter(Objects::nonNull).toList();
        }
    }

    static Stream<Named<BiFunction<GroupExecutor, Integer, TaskHandle<?>>>> submissions() {
        return Stream.of(
                named("submit", (executor, i) -> executor.submit("a", "task", () -> "done")),
                named("submit to a new group", (executor, i) -> executor.submit("group " + i, "task", () -> "done")),
                named(
                        "submitStage",
                        (executor, i) ->
                                executor.submitStage("a", "task", () -> CompletableFuture.completedFuture("done"))));
    }

    private void submitAtTheEnd(
            GroupPolicy.Builder policy, boolean full, BiFunction<GroupExecutor, Integer, TaskHandle<?>> submission) {
        for (int i = 0; i < CALLS; i++) {
            group("group " + i);
        }
        policy.globalMaxInFlight(1_000_000).globalQueueThreshold(1_000_000);
        GroupExecutor executor = executor(policy);
        if (full) {
            executor.submit("a", "holder", gate.holding("done"));
            gate.awaitArrival();
        }
        List<TaskHandle<?>> handles = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            handles.addAll(new Dive(i -> submission.apply(executor, i)).run());
        }
        gate.open();
        handles.forEach(GroupExecutorContract::resultOf);
        eventually("all permits are back", () -> isIdle(executor.stats()));
        assertThat(resultOf(executor.submit("a", "fresh", () -> "fresh")).value())
                .isEqualTo("fresh");
    }

    @ParameterizedTest
    @MethodSource("submissions")
    @DisplayName("GX-10 submit at the end of the stack, with room to start")
    void submit_startsAtOnce_nothingIsLost(BiFunction<GroupExecutor, Integer, TaskHandle<?>> submission) {
        submitAtTheEnd(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(1_000_000), false, submission);
    }

    @ParameterizedTest
    @MethodSource("submissions")
    @DisplayName("GX-10 submit at the end of the stack, to a group that is full")
    void submit_waits_nothingIsLost(BiFunction<GroupExecutor, Integer, TaskHandle<?>> submission) {
        submitAtTheEnd(GroupPolicy.builder(), true, submission);
    }

    @ParameterizedTest
    @MethodSource("submissions")
    @DisplayName("GX-10 submit at the end of the stack, refused")
    void submit_refused_nothingIsLost(BiFunction<GroupExecutor, Integer, TaskHandle<?>> submission) {
        submitAtTheEnd(noWaiting(), true, submission);
    }

    @ParameterizedTest
    @MethodSource("submissions")
    @DisplayName("GX-10 submit at the end of the stack, refused and run by the caller")
    void submit_callerRuns_nothingIsLost(BiFunction<GroupExecutor, Integer, TaskHandle<?>> submission) {
        submitAtTheEnd(noWaiting().rejectionPolicy(RejectionPolicy.CALLER_RUNS), true, submission);
    }

    @ParameterizedTest
    @MethodSource("submissions")
    @DisplayName("GX-10 submit at the end of the stack, with a listener")
    void submit_listener_nothingIsLost(BiFunction<GroupExecutor, Integer, TaskHandle<?>> submission) {
        submitAtTheEnd(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {}), true, submission);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("GX-11 cancel at the end of the stack: it throws and changes nothing, or cancels")
    void cancel_nothingIsLost(boolean waiting) {
        GroupExecutor executor = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(waiting ? 1 : CALLS + 1)
                .globalMaxInFlight(1_000_000)
                .globalQueueThreshold(1_000_000));
        for (int round = 0; round < ROUNDS; round++) {
            Gate closed = gate();
            executor.submit("a", "holder", closed.holding("done"));
            List<TaskHandle<?>> handles = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                handles.add(executor.submit("a", "task", closed.holding("done")));
            }
            closed.awaitArrivals(waiting ? 1 : CALLS + 1);
            new Dive(i -> {
                        handles.get(i).cancel(true);
                        return handles.get(i);
                    })
                    .run();
            closed.open();
            handles.forEach(GroupExecutorContract::resultOf);
        }
    }

    @ParameterizedTest
    @MethodSource("submissions")
    @DisplayName("GX-10 submit at the end of the stack, to a group that is full, with a limit of the wait")
    void submit_maxWait_nothingIsLost(BiFunction<GroupExecutor, Integer, TaskHandle<?>> submission) {
        submitAtTheEnd(GroupPolicy.builder().maxWait(Duration.ofHours(1)), true, submission);
    }

    @Test
    @DisplayName("GX-22 GX-10 execute of a view at the end of the stack")
    void execute_view_nothingIsLost() throws Exception {
        GroupExecutor executor = executor();
        ExecutorService view = executor.executor("a");
        TaskHandle<String> any = executor.submit("b", "any", () -> "done");
        AtomicInteger runs = new AtomicInteger();

        for (int round = 0; round < ROUNDS; round++) {
            new Dive(i -> {
                        view.execute(runs::incrementAndGet);
                        return any;
                    })
                    .run();
        }

        view.shutdown();
        assertThat(view.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(ROUNDS * ENOUGH);
    }

    static Stream<Named<Consumer<GroupExecutor>>> others() {
        return Stream.of(
                named("stats", GroupExecutor::stats),
                named("groupStats", executor -> executor.groupStats("a")),
                named("evictGroup", executor -> executor.evictGroup("a")),
                named("shutdownGroup", executor -> executor.shutdownGroup("a")));
    }

    @ParameterizedTest
    @MethodSource("others")
    @DisplayName("GX-15 GX-16 other calls at the end of the stack")
    void others_nothingIsLost(Consumer<GroupExecutor> call) {
        GroupExecutor executor =
                executor(GroupPolicy.builder().globalMaxInFlight(1_000_000).globalQueueThreshold(1_000_000));
        for (int round = 0; round < ROUNDS; round++) {
            Gate closed = gate();
            TaskHandle<String> running = executor.submit("a", "running", closed.holding("done"));
            TaskHandle<String> waiting = executor.submit("a", "waiting", () -> "done");
            new Dive(i -> {
                        call.accept(executor);
                        return running;
                    })
                    .run();
            closed.open();
            resultOf(running);
            resultOf(waiting);
        }
    }

    @Test
    @DisplayName("GX-17 a virtual thread too deep in its stack to park: its wait overflows, others' end with the tasks")
    void shutdownTimeout_virtualThreadCannotPark_nothingIsLost() {
        GroupExecutor executor = executor(GroupPolicy.builder());
        executor.submit("a", "holder", gate.holdingDeaf("done"));
        gate.awaitArrival();
        Dive dive = new Dive(i -> {
            executor.shutdown(Duration.ofMillis(1));
            return null;
        });

        awaitEnd(Thread.ofVirtual().start(dive::down));

        assertThat(dive.overflows).isPositive();
        assertThat(dive.overflows + dive.returned).isEqualTo(dive.calls);
        Thread closer = beside(executor::close);
        gate.open();
        awaitEnd(closer);
    }
}

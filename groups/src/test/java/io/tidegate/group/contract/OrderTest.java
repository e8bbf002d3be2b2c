package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.TaskHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OrderTest extends GroupExecutorContract {
    private static final int MANY = 50_000;

    private final List<String> started = new CopyOnWriteArrayList<>();

    private Callable<String> starts(String name) {
        return () -> {
            started.add(name);
            return name;
        };
    }

    private TaskHandle<String> submit(GroupExecutor executor, String group, String name) {
        return executor.submit(group, name, starts(name));
    }

    @Test
    @DisplayName("GX-7 within a group tasks start in the order of their submission")
    void start_oneGroup_inSubmissionOrder() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        List<TaskHandle<String>> handles = new ArrayList<>();
        List<String> names = IntStream.range(0, 500).mapToObj(i -> "a" + i).toList();
        names.forEach(name -> handles.add(submit(executor, "a", name)));

        gate.open();

        handles.forEach(GroupExecutorContract::resultOf);
        assertThat(started).isEqualTo(names);
    }

    @Test
    @DisplayName("GX-7 nobody overtakes while places free and tasks come at the same time")
    void start_submittedWhileOthersEnd_inSubmissionOrder() {
        GroupExecutor executor = executor();
        List<Integer> order = new ArrayList<>(); // the group runs one task at a time
        TaskHandle<?> last = null;
        for (int i = 0; i < MANY; i++) {
            int number = i;
            last = executor.submit("a", "task", () -> order.add(number));
        }

        resultOf(last);

        assertThat(order).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    }

    @Test
    @DisplayName("GX-7 a cancelled task does not change the order of the others")
    void start_oneInTheMiddleCancelled_othersKeepTheirOrder() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        TaskHandle<String> first = submit(executor, "a", "first");
        submit(executor, "a", "second");
        TaskHandle<String> third = submit(executor, "a", "third");
        TaskHandle<String> last = submit(executor, "a", "last");
        third.cancel(true);
        first.cancel(true);
        TaskHandle<String> late = submit(executor, "a", "late");
        last.cancel(false);

        gate.open();

        resultOf(late);
        assertThat(started).containsExactly("second", "late");
    }

    @Test
    @DisplayName("GX-7 among groups that wait for a global place the longest waiting head goes first")
    void start_groupsWaitForGlobalPlace_longestWaitingHeadFirst() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (String name : List.of("a1", "b1", "a2", "c1", "b2", "b3", "a3", "c2")) {
            handles.add(submit(executor, name.substring(0, 1), name));
        }

        gate.open();

        handles.forEach(GroupExecutorContract::resultOf);
        assertThat(started).containsExactly("a1", "b1", "a2", "c1", "b2", "b3", "a3", "c2");
    }

    @Test
    @DisplayName("GX-7 when the head of a group is cancelled, the age of its next task counts")
    void start_headCancelled_nextHeadsAgeCounts() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        TaskHandle<String> head = submit(executor, "a", "a1");
        submit(executor, "b", "b1");
        TaskHandle<String> last = submit(executor, "a", "a2");
        head.cancel(false);

        gate.open();

        resultOf(last);
        assertThat(started).containsExactly("b1", "a2");
    }

    @Test
    @DisplayName(
            "GX-4 GX-7 an older head whose own group is full is passed over, and has its turn when its group has room")
    void start_olderHeadOfFullGroup_isPassedOver() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(2));
        Gate a = gate();
        Gate x = gate();
        executor.submit("a", "holder", a.holding("done"));
        executor.submit("x", "holder", x.holding("done"));
        TaskHandle<String> older = submit(executor, "a", "a1");
        TaskHandle<String> younger = submit(executor, "b", "b1");

        x.open();
        resultOf(younger);
        assertThat(started).containsExactly("b1");
        a.open();

        resultOf(older);
        assertThat(started).containsExactly("b1", "a1");
    }

    @Test
    @DisplayName("GX-5 GX-7 a stage that ends lets the longest waiting head start")
    void start_stageEnds_longestWaitingHeadFirst() {
        GroupExecutor executor =
                executor(GroupPolicy.builder().globalMaxInFlight(1).perGroupMaxInFlight(Map.of("a", 1)));
        CompletableFuture<String> stage = stage();
        TaskHandle<String> pending = executor.submitStage("a", "stage", () -> stage);
        submit(executor, "a", "a1");
        submit(executor, "b", "b1");
        submit(executor, "c", "c1");
        TaskHandle<String> last = submit(executor, "a", "a2");
        assertThat(started).isEmpty();

        stage.complete("done");

        resultOf(pending);
        resultOf(last);
        assertThat(started).containsExactly("a1", "b1", "c1", "a2");
    }

    @Test
    @DisplayName("GX-7 with one global place and one submitter the groups start in the order of submission")
    void start_submittedToManyGroupsWhileOthersEnd_inSubmissionOrder() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        List<String> keys = List.of("a", "b", "c", "d");
        List<Integer> order = new ArrayList<>(); // one task in flight at a time
        List<TaskHandle<?>> handles = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            handles.add(executor.submit(keys.get((i * 7 + i / 3) % 4), "task", () -> order.add(number)));
        }

        handles.forEach(GroupExecutorContract::resultOf);

        assertThat(order).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    }

    @Test
    @DisplayName("GX-3 GX-7 groups that wait for a global place all get one in the end")
    void start_moreGroupsThanGlobalPlaces_allRun() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(3));
        Meter meter = new Meter();
        List<TaskHandle<?>> handles = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            handles.add(executor.submit(group("g" + i % 100), "task", () -> meter.around(null)));
        }

        handles.forEach(GroupExecutorContract::resultOf);

        assertThat(meter.entries()).isEqualTo(10_000);
        assertThat(meter.highest()).isLessThanOrEqualTo(3);
    }
}

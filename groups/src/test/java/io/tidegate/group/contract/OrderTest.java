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
    @DisplayName("GX-7 nobody overtakes while permits free and tasks come at the same time")
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
    @DisplayName("GX-7 among groups that wait for a global permit the one that was served longest ago goes first")
    void start_groupsWaitForGlobalPlace_servedLongestAgoFirst() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (String name : List.of("a1", "b1", "a2", "c1", "b2", "b3", "a3", "c2")) {
            handles.add(submit(executor, name.substring(0, 1), name));
        }

        gate.open();

        handles.forEach(GroupExecutorContract::resultOf);
        assertThat(started).containsExactly("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3");
    }

    @Test
    @DisplayName("GX-7 a quiet group waits for one task of each other group, not for their queues")
    void start_quietGroupAmongFullOnes_waitsForOneTaskOfEach() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            handles.add(submit(executor, i % 2 == 0 ? "a" : "b", "wild"));
        }
        handles.add(submit(executor, "c", "quiet"));

        gate.open();

        handles.forEach(GroupExecutorContract::resultOf);
        assertThat(started.indexOf("quiet")).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-7 a group that was idle for long goes before those that were served since")
    void start_groupWasIdle_goesBeforeThoseServedSince() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        resultOf(submit(executor, "c", "c1"));
        resultOf(submit(executor, "b", "b1"));
        resultOf(submit(executor, "a", "a1"));
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (String name : List.of("a2", "a3", "b2", "b3", "c2")) {
            handles.add(submit(executor, name.substring(0, 1), name));
        }

        gate.open();

        handles.forEach(GroupExecutorContract::resultOf);
        assertThat(started).containsExactly("c1", "b1", "a1", "c2", "b2", "a2", "b3", "a3");
    }

    @Test
    @DisplayName("GX-7 new groups without end do not keep an older one from its turn")
    void start_newGroupsKeepComing_olderOneHasItsTurn() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));
        List<TaskHandle<String>> handles = new ArrayList<>();
        handles.add(submit(executor, "a", "a1"));
        for (int i = 0; i < 100; i++) {
            handles.add(submit(executor, group("new" + i), "new"));
        }

        gate.open();

        handles.forEach(GroupExecutorContract::resultOf);
        assertThat(started.indexOf("a1")).isZero();
    }

    @Test
    @DisplayName("GX-7 when the head of a group is cancelled, the group keeps its turn")
    void start_headCancelled_groupKeepsItsTurn() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        TaskHandle<String> head = submit(executor, "a", "a1");
        TaskHandle<String> last = submit(executor, "b", "b1");
        submit(executor, "a", "a2");
        head.cancel(false);

        gate.open();

        resultOf(last);
        assertThat(started).containsExactly("a2", "b1");
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
    @DisplayName("GX-5 GX-7 a stage that ends lets the group start that was served longest ago")
    void start_stageEnds_servedLongestAgoFirst() {
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
    @DisplayName("GX-7 with one global permit the groups take turns, and each keeps its own order")
    void start_submittedToManyGroupsWhileOthersEnd_takeTurns() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));
        List<String> keys = List.of("a", "b", "c", "d");
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        List<Integer> order = new ArrayList<>(); // one task in flight at a time
        List<TaskHandle<?>> handles = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            handles.add(executor.submit(keys.get(i / (MANY / 4)), "task", () -> order.add(number)));
            if (i == MANY * 7 / 8) {
                gate.open(); // all groups wait, and one still gets more
            }
        }

        handles.forEach(GroupExecutorContract::resultOf);

        for (int i = 0; i < MANY / 2; i++) {
            assertThat(order.get(i)).isEqualTo(i % 4 * (MANY / 4) + i / 4);
        }
        for (int group = 0; group < 4; group++) {
            int from = group * (MANY / 4);
            assertThat(order.stream().filter(number -> number / (MANY / 4) == from / (MANY / 4)))
                    .isSorted();
        }
    }

    @Test
    @DisplayName("GX-3 GX-7 groups that wait for a global permit all get one in the end")
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

package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a task finds on its thread, after others that leave there what they can. */
class ThreadStateTest extends GroupExecutorContract {
    private static final ThreadLocal<String> LEFT = new ThreadLocal<>();

    private final URLClassLoader loader = new URLClassLoader(new URL[0]);

    /** What a task found. */
    private record Found(Thread thread, String local, String name, ClassLoader loader, boolean interrupted) {}

    private Found lookAndSoil(String group) {
        Thread me = Thread.currentThread();
        Found found = new Found(me, LEFT.get(), me.getName(), me.getContextClassLoader(), me.isInterrupted());
        LEFT.set(group);
        me.setName("left by " + group);
        me.setContextClassLoader(loader);
        me.interrupt();
        return found;
    }

    private List<Found> run(GroupExecutor executor, List<String> groups, int rounds) {
        Gate gate = gate();
        executor.submit("x", "holder", gate.holding("done"));
        List<TaskHandle<Found>> handles = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            for (String group : groups) {
                handles.add(executor.submit(group, "task " + i, () -> lookAndSoil(group)));
            }
        }
        gate.open();
        return handles.stream().map(handle -> resultOf(handle).value()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, Integer.MAX_VALUE})
    @DisplayName("GX-21 a thread never goes from one group to another, however permits are passed on")
    void start_placesPassedOn_threadsStayInTheirGroup(int places) {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(places));
        Map<Thread, String> owners = new HashMap<>();
        List<String> groups = List.of("a", "b", "c", "d");

        List<Found> found = run(executor, groups, 200);

        for (int i = 0; i < found.size(); i++) {
            String group = groups.get(i % groups.size());
            assertThat(owners.putIfAbsent(found.get(i).thread(), group)).isIn(null, group);
            assertThat(found.get(i).local()).isIn(null, group);
        }
    }

    @Test
    @DisplayName("GX-21 name, class loader and interrupt state are set before each task of a group")
    void start_sameThread_stateIsSetAnew() {
        GroupExecutor executor = executor(GroupPolicy.builder().globalMaxInFlight(1));

        List<Found> found = run(executor, List.of("a"), 100);

        assertThat(found).allSatisfy(one -> {
            assertThat(one.name()).isEqualTo("a");
            assertThat(one.loader()).isSameAs(ClassLoader.getSystemClassLoader());
            assertThat(one.interrupted()).isFalse();
        });
        assertThat(found.stream().map(Found::thread).distinct())
                .as("threads go on")
                .hasSizeLessThan(100);
    }

    @Test
    @DisplayName("GX-21 what a listener does to the thread is not seen by the task either")
    void start_listenerSoilsThread_stateIsSetAnew() {
        GroupExecutor executor = executor(GroupPolicy.builder().taskLifecycleListener(new TaskLifecycleListener() {
            @Override
            public void onStarted(GroupTask<?> task) {
                lookAndSoil("listener");
            }
        }));

        List<Found> found = run(executor, List.of("a"), 10);

        assertThat(found).allSatisfy(one -> {
            assertThat(one.name()).isEqualTo("a");
            assertThat(one.loader()).isSameAs(ClassLoader.getSystemClassLoader());
            assertThat(one.interrupted()).isFalse();
        });
    }

    @Test
    @DisplayName("GX-21 with fresh threads each task has its own, with its name")
    void start_freshThreads_eachTaskHasItsOwn() {
        GroupExecutor executor = executor(GroupPolicy.builder().freshThreads());

        List<Found> found = run(executor, List.of("a", "b"), 100);

        assertThat(found.stream().map(Found::thread).distinct()).hasSize(200);
        assertThat(found).extracting(Found::local).containsOnlyNulls();
        assertThat(found.get(0).name()).isEqualTo("a/task 0");
        assertThat(found.get(199).name()).isEqualTo("b/task 99");
    }
}

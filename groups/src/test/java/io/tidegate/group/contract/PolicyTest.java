package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupStats;
import io.tidegate.group.RejectedTaskException;
import io.tidegate.group.TaskHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest extends GroupExecutorContract {
    private static final int MAX = Integer.MAX_VALUE;

    @Test
    @DisplayName("GX-1 with nothing set a group runs one task at a time, and as many wait as come")
    void defaults_manyTasksInOneGroup_oneRunsOthersWait() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        List<TaskHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            handles.add(executor.submit("a", "task", gate.holding("done")));
        }
        gate.awaitArrival();

        GroupStats stats = busy(executor, "a");

        assertThat(stats.groupKey()).isEqualTo("a");
        assertThat(stats.running()).isEqualTo(1);
        assertThat(stats.waiting()).isEqualTo(999);
        assertThat(stats.inFlight()).isEqualTo(1);
        assertThat(stats.maxConcurrency()).isEqualTo(1);
        assertThat(stats.maxInFlight()).isEqualTo(MAX);
        assertThat(stats.queueThreshold()).isEqualTo(MAX);
        gate.open();
        handles.forEach(handle -> assertThat(resultOf(handle).value()).isEqualTo("done"));
    }

    @Test
    @DisplayName("GX-1 with nothing set the number of groups at work is not limited")
    void defaults_manyGroups_allRun() {
        GroupExecutor executor = executor();
        Gate gate = gate();
        for (int i = 0; i < 1_000; i++) {
            executor.submit(group("g" + i), "task", gate.holding("done"));
        }

        gate.awaitArrivals(1_000);

        assertThat(executor.stats().running()).isEqualTo(1_000);
        assertThat(executor.stats().groups()).isEqualTo(1_000);
    }

    @Test
    @DisplayName("GX-1 GX-9 with nothing set a refusal is thrown by await and join")
    void defaults_refusal_aborts() {
        GroupExecutor executor = executor(GroupPolicy.builder().defaultQueueThresholdPerGroup(0));
        Gate gate = gate();
        executor.submit("a", "holder", gate.holding("done"));

        TaskHandle<String> refused = executor.submit("a", "refused", () -> "never");

        assertThatThrownBy(refused::join)
                .isInstanceOf(RejectedTaskException.class)
                .isInstanceOf(RejectedExecutionException.class);
    }

    static Stream<Named<UnaryOperator<GroupPolicy.Builder>>> badSettings() {
        return Stream.of(
                named("concurrency 0", builder -> builder.defaultMaxConcurrencyPerGroup(0)),
                named("concurrency -1", builder -> builder.defaultMaxConcurrencyPerGroup(-1)),
                named("concurrency of a 0", builder -> builder.perGroupMaxConcurrency(Map.of("b", 1, "a", 0))),
                named(
                        "concurrency of a MIN",
                        builder -> builder.perGroupMaxConcurrency(Map.of("a", Integer.MIN_VALUE))),
                named("global in flight 0", builder -> builder.globalMaxInFlight(0)),
                named("global in flight -1", builder -> builder.globalMaxInFlight(-1)),
                named("in flight 0", builder -> builder.defaultMaxInFlightPerGroup(0)),
                named("in flight of a 0", builder -> builder.perGroupMaxInFlight(Map.of("b", 1, "a", 0))),
                named("maxWait 0", builder -> builder.maxWait(Duration.ZERO)),
                named("maxWait -1 ns", builder -> builder.maxWait(Duration.ofNanos(-1))),
                named("global threshold -1", builder -> builder.globalQueueThreshold(-1)),
                named("threshold -1", builder -> builder.defaultQueueThresholdPerGroup(-1)),
                named("threshold of a -1", builder -> builder.perGroupQueueThreshold(Map.of("b", 1, "a", -1))));
    }

    @ParameterizedTest
    @MethodSource("badSettings")
    @DisplayName("GX-1 a limit out of range is misuse, in the maps too")
    void build_badSetting_throws(UnaryOperator<GroupPolicy.Builder> setting) {
        assertThatThrownBy(() -> setting.apply(GroupPolicy.builder()).build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("GX-1 the smallest and the largest limits are allowed")
    void build_edgesOfTheRange_builds() {
        GroupExecutor smallest = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(1)
                .globalMaxInFlight(1)
                .defaultMaxInFlightPerGroup(1)
                .globalQueueThreshold(0)
                .defaultQueueThresholdPerGroup(0)
                .perGroupMaxConcurrency(Map.of("a", 1))
                .perGroupMaxInFlight(Map.of("a", 1))
                .perGroupQueueThreshold(Map.of("a", 0)));
        GroupExecutor largest = executor(GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(MAX)
                .globalMaxInFlight(MAX)
                .defaultMaxInFlightPerGroup(MAX)
                .globalQueueThreshold(MAX)
                .defaultQueueThresholdPerGroup(MAX));

        assertThat(resultOf(smallest.submit("a", "1", () -> 1)).value()).isEqualTo(1);
        assertThat(resultOf(largest.submit("a", "1", () -> 1)).value()).isEqualTo(1);
    }

    @Test
    @DisplayName("GX-1 the maps are copied")
    void build_mapChangedLater_changesNothing() {
        Map<String, Integer> limits = new HashMap<>(Map.of("a", 2));
        GroupPolicy.Builder policy = GroupPolicy.builder()
                .perGroupMaxConcurrency(limits)
                .perGroupMaxInFlight(limits)
                .perGroupQueueThreshold(limits);
        GroupExecutor executor = executor(policy);
        limits.put("a", 7);
        limits.put("b", 7);

        Gate gate = gate();
        executor.submit("a", "1", gate.holding("done"));
        executor.submit("b", "1", gate.holding("done"));

        assertThat(busy(executor, "a"))
                .extracting(GroupStats::maxConcurrency, GroupStats::maxInFlight, GroupStats::queueThreshold)
                .containsExactly(2, 2, 2);
        assertThat(busy(executor, "b"))
                .extracting(GroupStats::maxConcurrency, GroupStats::maxInFlight, GroupStats::queueThreshold)
                .containsExactly(1, MAX, MAX);
    }

    private static int concurrencyWhileBusy(GroupExecutor executor, String group) {
        Gate gate = new Gate();
        TaskHandle<String> holder = executor.submit(group, "holder", gate.holding("done"));
        int concurrency = busy(executor, group).maxConcurrency();
        gate.open();
        resultOf(holder);
        return concurrency;
    }

    @Test
    @DisplayName("GX-2 the group's own entry goes before the resolver, the resolver before the default")
    void concurrency_entryResolverDefault_inThisOrder() {
        GroupPolicy.Builder policy =
                GroupPolicy.builder().perGroupMaxConcurrency(Map.of("a", 2)).defaultMaxConcurrencyPerGroup(4);
        GroupExecutor withResolver = executor(policy.concurrencyResolver(key -> 3));
        GroupExecutor without = executor(
                GroupPolicy.builder().perGroupMaxConcurrency(Map.of("a", 2)).defaultMaxConcurrencyPerGroup(4));

        assertThat(concurrencyWhileBusy(withResolver, "a")).isEqualTo(2);
        assertThat(concurrencyWhileBusy(withResolver, "b")).isEqualTo(3);
        assertThat(concurrencyWhileBusy(without, "a")).isEqualTo(2);
        assertThat(concurrencyWhileBusy(without, "b")).isEqualTo(4);
    }

    @Test
    @DisplayName("GX-2 what the resolver answers is what runs at once")
    void concurrency_fromResolver_isEnforced() {
        GroupExecutor executor = executor(GroupPolicy.builder().concurrencyResolver(key -> key.equals("a") ? 3 : 1));
        Gate gate = gate();
        for (int i = 0; i < 5; i++) {
            executor.submit("a", "task", gate.holding("done"));
        }

        gate.awaitArrivals(3);

        assertThat(busy(executor, "a").running()).isEqualTo(3);
        assertThat(busy(executor, "a").waiting()).isEqualTo(2);
    }

    @Test
    @DisplayName("GX-2 GX-15 the first answer stays until the group is evicted")
    void concurrency_resolverChangesItsMind_firstAnswerStaysUntilEvicted() {
        AtomicInteger answer = new AtomicInteger(2);
        GroupExecutor executor = executor(GroupPolicy.builder().concurrencyResolver(key -> answer.get()));

        assertThat(concurrencyWhileBusy(executor, "a")).isEqualTo(2);
        answer.set(5);
        assertThat(concurrencyWhileBusy(executor, "a")).as("idle in between").isEqualTo(2);
        executor.evictGroup("a");
        assertThat(concurrencyWhileBusy(executor, "a")).as("after the eviction").isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    @DisplayName("GX-2 a resolver that answers below 1 leaves the default")
    void concurrency_resolverAnswersBelowOne_isTheDefault(int answer) {
        GroupExecutor executor =
                executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(3).concurrencyResolver(key -> answer));

        assertThat(concurrencyWhileBusy(executor, "a")).isEqualTo(3);
    }

    static Stream<Named<ToIntFunction<String>>> throwingResolvers() {
        return Stream.of(
                named("runtime exception", key -> {
                    throw new IllegalStateException(key);
                }),
                named("checked exception", key -> {
                    throw sneaky(new Exception(key));
                }),
                named("error", key -> {
                    throw new AssertionError(key);
                }),
                named("stack overflow", key -> {
                    throw new StackOverflowError();
                }));
    }

    @ParameterizedTest
    @MethodSource("throwingResolvers")
    @DisplayName("GX-2 a resolver that throws leaves the default")
    void concurrency_resolverThrows_isTheDefault(ToIntFunction<String> resolver) {
        GroupExecutor executor =
                executor(GroupPolicy.builder().defaultMaxConcurrencyPerGroup(3).concurrencyResolver(resolver));

        assertThat(concurrencyWhileBusy(executor, "a")).isEqualTo(3);
    }

    @Test
    @DisplayName("GX-2 a resolver may use the executor it serves")
    void concurrency_resolverSubmits_isNotInTheWay() {
        AtomicReference<GroupExecutor> self = new AtomicReference<>();
        GroupExecutor executor = executor(GroupPolicy.builder().concurrencyResolver(key -> {
            if (key.equals("a")) {
                self.get().groupStats("a");
                self.get().evictGroup("a");
                return resultOf(self.get().submit("b", "inner", () -> 4)).value();
            }
            return 2;
        }));
        self.set(executor);

        assertThat(concurrencyWhileBusy(executor, "a")).isEqualTo(4);
    }
}

package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.Bookkeeping.Limits;
import io.tidegate.group.ReferenceGroups.Entry;
import io.tidegate.race.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeded random scripts for the whole executor, compared with the reference after every step; seeds as in
 * GroupQueueModelTest.
 */
class ExecutorModelTest {
    private static final int STEPS = 60;
    private static final List<Phase> PHASES = List.of(Phase.values());

    @Test
    @DisplayName("GX-3 GX-4 GX-5 GX-6 GX-7 GX-11 GX-15 GX-16 GX-17 GX-23 random scripts agree with the reference")
    void script_executor_agreesWithReference() {
        GroupQueueModelTest.seeds(100)
                .forEach(seed ->
                        new Script(seed, GroupExecutor::newVirtualThreadExecutor, Duration.ofMinutes(2)).play());
    }

    @ParameterizedTest
    @EnumSource(
            value = BrokenExecutor.class,
            names = {"FORGETS_BUSY_GROUP", "CANCELS_HANDLE_ONLY"})
    @Tag("broken")
    @DisplayName("GX-11 GX-15 what is wrong on one thread is caught")
    void script_broken_isCaught(BrokenExecutor broken) {
        assertThatThrownBy(() -> LongStream.range(0, 100)
                        .forEach(seed -> new Script(seed, broken, Duration.ofSeconds(1)).play()))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed ");
    }

    private enum Phase {
        WAITING,
        RUNNING,
        /** The stage is pending. */
        FLYING,
        /** The stage is pending, and the handle was cancelled. */
        ORPHANED,
        OVER
    }

    private static final class Live {
        final Entry entry;
        final CountDownLatch gate = new CountDownLatch(1);
        final @Nullable CompletableFuture<String> stage;
        final boolean deaf;
        volatile boolean begun;
        Phase phase = Phase.WAITING;
        TaskStatus expected = TaskStatus.SUCCESS;

        @Nullable
        TaskHandle<String> handle;

        Live(Entry entry, boolean withStage, boolean deaf) {
            this.entry = entry;
            this.stage = withStage ? new CompletableFuture<>() : null;
            this.deaf = deaf;
        }

        String body() throws InterruptedException {
            begun = true;
            while (true) {
                try {
                    gate.await();
                    return "done";
                } catch (InterruptedException asked) {
                    if (!deaf) {
                        throw asked;
                    }
                }
            }
        }

        CompletableFuture<String> stageBody() throws InterruptedException {
            body();
            return stage;
        }
    }

    private static final class Script {
        private final long seed;
        private final Duration patience;
        private final Random random;
        private final int groups;
        private final List<String> done = new ArrayList<>();
        private final ReferenceGroups reference;
        private final GroupExecutor executor;
        private final List<Live> tasks = new ArrayList<>();
        private final Set<Integer> known = new HashSet<>();
        private final Set<Integer> evicting = new HashSet<>();

        Script(long seed, ExecutorFactory factory, Duration patience) {
            this.seed = seed;
            this.patience = patience;
            this.random = new Random(seed);
            int limit = GroupQueueModelTest.anyLimit(random, 5);
            int threshold = GroupQueueModelTest.anyLimit(random, 12);
            this.groups = 1 + random.nextInt(4);
            List<Limits> limits = GroupQueueModelTest.anyLimits(random, groups);
            this.reference = new ReferenceGroups(limit, threshold, limits);
            this.executor = factory.create(policy(limit, threshold, limits));
        }

        private static GroupPolicy policy(int limit, int threshold, List<Limits> limits) {
            Map<String, Integer> concurrency = new HashMap<>();
            Map<String, Integer> inFlight = new HashMap<>();
            Map<String, Integer> thresholds = new HashMap<>();
            for (int i = 0; i < limits.size(); i++) {
                concurrency.put("group " + i, limits.get(i).concurrency());
                inFlight.put("group " + i, limits.get(i).inFlight());
                thresholds.put("group " + i, limits.get(i).threshold());
            }
            return GroupPolicy.builder()
                    .perGroupMaxConcurrency(concurrency)
                    .perGroupMaxInFlight(inFlight)
                    .perGroupQueueThreshold(thresholds)
                    .globalMaxInFlight(limit)
                    .globalQueueThreshold(threshold)
                    .rejectionPolicy(RejectionPolicy.DISCARD)
                    .build();
        }

        void play() {
            try (executor) {
                playToTheEnd();
            } catch (Throwable error) {
                throw new AssertionError("seed " + seed + ", after " + done + ": " + error, error);
            }
        }

        private void playToTheEnd() {
            try {
                for (int i = 0; i < STEPS; i++) {
                    step();
                    compare();
                }
                for (Live deaf = anyDeaf(); deaf != null; deaf = anyDeaf()) {
                    endBody(deaf);
                    compare();
                }
                end();
            } finally {
                tasks.forEach(task ->
                        task.gate.countDown()); // otherwise the executor of a script that fails could not be closed
            }
        }

        private @Nullable Live anyDeaf() {
            return tasks.stream()
                    .filter(task -> task.deaf && task.phase == Phase.RUNNING)
                    .findFirst()
                    .orElse(null);
        }

        private void end() {
            executor.close();
            for (Live task : tasks) {
                assertThat(task.handle.isDone()).isTrue();
                assertThat(task.handle.join().status())
                        .isEqualTo(
                                task.phase == Phase.OVER || task.phase == Phase.ORPHANED
                                        ? task.expected
                                        : TaskStatus.CANCELLED);
                if (task.stage != null) {
                    task.stage.complete("late");
                }
            }
            GroupExecutorStats stats = executor.stats();
            assertThat(stats.submitted()).isEqualTo(tasks.size());
            assertThat(stats.completed() + stats.rejected()).isEqualTo(tasks.size());
            assertThat(stats.running() + stats.waiting()).isZero();
            await(() -> executor.stats().inFlight()
                    == 0); // a body that has just returned its stage may register on it late
        }

        private void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4, 5 -> submit();
                case 6, 7 -> endBody();
                case 8 -> endStage();
                case 9, 10 -> cancel();
                default -> meddle();
            }
        }

        private void submit() {
            Live task = new Live(
                    new Entry(random.nextInt(groups), tasks.size()), random.nextInt(3) == 0, random.nextInt(4) == 0);
            if (known.add(task.entry.group)) {
                reference.make(task.entry.group);
            }
            GroupQueue.Admission expected = reference.admit(task.entry);
            String key = "group " + task.entry.group;
            done.add("submit " + key + (task.stage == null ? "" : " stage"));
            task.handle = task.stage == null
                    ? executor.submit(key, "task", task::body)
                    : executor.submitStage(key, "task", task::stageBody);
            tasks.add(task);
            task.phase = switch (expected) {
                case STARTED -> Phase.RUNNING;
                case WAITING -> Phase.WAITING;
                default -> Phase.OVER;
            };
            if (task.phase == Phase.OVER) {
                task.expected = TaskStatus.REJECTED;
            }
        }

        private @Nullable Live any(Phase phase) {
            List<Live> those =
                    tasks.stream().filter(task -> task.phase == phase).toList();
            return those.isEmpty() ? null : those.get(random.nextInt(those.size()));
        }

        private void endBody() {
            Live task = any(Phase.RUNNING);
            if (task != null) {
                endBody(task);
            }
        }

        private void endBody(Live task) {
            done.add("end body of " + tasks.indexOf(task));
            task.gate.countDown();
            if (task.stage == null) {
                task.phase = Phase.OVER;
                started(reference.end(task.entry));
            } else {
                task.phase = task.expected == TaskStatus.CANCELLED ? Phase.ORPHANED : Phase.FLYING;
                started(reference.endBody(task.entry));
            }
        }

        private void endStage() {
            Live task = random.nextInt(3) > 0 ? any(Phase.FLYING) : any(Phase.ORPHANED);
            if (task == null) {
                return;
            }
            done.add("end stage of " + tasks.indexOf(task));
            task.phase = Phase.OVER;
            started(reference.endFlight(task.entry));
            task.stage.complete("done");
        }

        private void cancel() {
            Live task = any(PHASES.get(random.nextInt(PHASES.size())));
            if (task != null) {
                done.add("cancel " + tasks.indexOf(task));
                boolean open = task.phase != Phase.OVER && task.phase != Phase.ORPHANED;
                if (task.phase == Phase.RUNNING) {
                    await(() -> task.begun); // otherwise it is cancelled before its body begins, which is another case
                    assertThat(task.handle.cancel(false)).isFalse();
                }
                cancelled(task);
                assertThat(task.handle.cancel(true)).isEqualTo(open);
            }
        }

        private void cancelled(Live task) {
            switch (task.phase) {
                case WAITING -> {
                    reference.withdraw(task.entry);
                    over(task);
                }
                case RUNNING -> {
                    if (!task.deaf) {
                        over(task);
                        started(reference.end(task.entry));
                    } else if (task.stage != null) {
                        task.expected = TaskStatus.CANCELLED; // whatever stage it returns
                    }
                }
                case FLYING -> {
                    over(task);
                    task.phase = Phase.ORPHANED;
                }
                default -> {}
            }
        }

        private static void over(Live task) {
            task.phase = Phase.OVER;
            task.expected = TaskStatus.CANCELLED;
        }

        private void meddle() {
            int group = random.nextInt(groups);
            switch (random.nextInt(4)) {
                case 0 -> {
                    done.add("evict " + group);
                    executor.evictGroup("group " + group);
                    evicting.add(group);
                }
                case 1 -> {
                    int limit = GroupQueueModelTest.anyLimit(random, 5);
                    done.add("limit of all " + limit);
                    reference.setLimit(limit).forEach(this::started);
                    executor.setGlobalMaxInFlight(limit);
                }
                case 2 -> {
                    int limit = 1 + random.nextInt(4);
                    done.add("concurrency of " + group + " " + limit);
                    if (known.add(group)) {
                        reference.make(group);
                    }
                    reference.setConcurrency(group, limit).forEach(this::started);
                    executor.setMaxConcurrency("group " + group, limit);
                }
                default -> shutDown(group);
            }
        }

        private void shutDown(int group) {
            done.add("shut down " + group);
            List<Live> those =
                    tasks.stream().filter(task -> task.entry.group == group).toList();
            those.stream().filter(task -> task.phase == Phase.WAITING).forEach(this::cancelled);
            those.stream().filter(task -> task.phase == Phase.FLYING).forEach(this::cancelled);
            those.stream().filter(task -> task.phase == Phase.RUNNING).forEach(this::cancelled);
            executor.shutdownGroup("group " + group);
        }

        private void started(@Nullable Entry entry) {
            tasks.stream().filter(task -> task.entry == entry).forEach(task -> task.phase = Phase.RUNNING);
        }

        private void compare() {
            for (int i = 0; i < groups; i++) {
                int group = i;
                await(() -> agrees(group));
            }
            for (Live task : tasks) {
                boolean ended = task.phase == Phase.OVER || task.phase == Phase.ORPHANED;
                if (ended) {
                    assertThat(task.handle.join().status()).isEqualTo(task.expected);
                } else {
                    assertThat(task.handle.isDone()).isFalse();
                    boolean begun = task.phase != Phase.WAITING;
                    await(() -> task.begun == begun);
                }
            }
        }

        private boolean agrees(int group) {
            GroupStats stats = executor.groupStats("group " + group).orElse(null);
            if (stats == null) {
                evicting.remove(group);
                known.remove(group);
                return reference.isIdle(group);
            }
            return new Bookkeeping.Counts(stats.running(), stats.inFlight(), stats.waiting())
                            .equals(reference.counts(group))
                    && !(evicting.contains(group) && reference.isIdle(group));
        }

        private void await(BooleanSupplier condition) {
            long start = System.nanoTime();
            for (int spins = 0; !condition.getAsBoolean(); spins++) {
                if (System.nanoTime() - start > patience.toNanos()) {
                    throw new AssertionError("waited in vain");
                }
                Race.pause(spins);
            }
        }
    }
}

package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.Bookkeeping.Limits;
import io.tidegate.group.ReferenceGroups.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeded random scripts for the bookkeeping alone, compared with the reference after every step. A failure names its
 * seed: {@code -Dtidegate.seed=N} plays that script alone, and {@code -Dtidegate.seeds=N} plays the first N.
 */
class GroupQueueModelTest {
    private static final int STEPS = 150;

    static LongStream seeds(long count) {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", count));
    }

    @Test
    @DisplayName("GX-3 GX-4 GX-6 GX-7 GX-23 random scripts start whom the reference starts")
    void script_lanes_agreeWithReference() {
        seeds(1_000).forEach(seed -> play(seed, TrueGroups::new));
    }

    @ParameterizedTest
    @EnumSource(
            value = BrokenPermits.class,
            names = {"LAST_SERVED_FIRST", "LONGEST_WAIT_FIRST", "RAISES_IN_SILENCE", "RUNNING_COUNT_AS_WAITING"})
    @DisplayName("GX-6 GX-7 GX-23 what is wrong on one thread is caught")
    void script_broken_isCaught(BrokenPermits broken) {
        assertThatThrownBy(() -> LongStream.range(0, 100).forEach(seed -> play(seed, broken)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed ");
    }

    private static void play(long seed, Bookkeeping.Factory factory) {
        Random random = new Random(seed);
        int limit = anyLimit(random, 5);
        int threshold = anyLimit(random, 12);
        List<Limits> limits = anyLimits(random, 1 + random.nextInt(5));
        ReferenceGroups reference = new ReferenceGroups(limit, threshold, limits);
        new Script<>(seed, random, limits.size(), reference, factory.create(limit, threshold, limits)).play();
    }

    static List<Limits> anyLimits(Random random, int groups) {
        List<Limits> limits = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            limits.add(new Limits(1 + random.nextInt(3), 1 + random.nextInt(4), random.nextInt(6)));
        }
        return limits;
    }

    static int anyLimit(Random random, int bound) {
        return random.nextInt(4) == 0 ? GroupPolicy.UNLIMITED : 1 + random.nextInt(bound);
    }

    private static final class Script<W> {
        private final long seed;
        private final Random random;
        private final int groups;
        private final ReferenceGroups reference;
        private final Bookkeeping<W> permits;
        private final List<String> done = new ArrayList<>();
        private final Map<Integer, Entry> known = new HashMap<>();
        private final List<W> waiting = new ArrayList<>();
        private final List<W> running = new ArrayList<>();
        private final List<W> flying = new ArrayList<>();

        Script(long seed, Random random, int groups, ReferenceGroups reference, Bookkeeping<W> permits) {
            this.seed = seed;
            this.random = random;
            this.groups = groups;
            this.reference = reference;
            this.permits = permits;
        }

        void play() {
            try {
                for (int i = 0; i < STEPS; i++) {
                    step();
                    compare();
                }
                while (!waiting.isEmpty() || !running.isEmpty() || !flying.isEmpty()) {
                    endAny();
                    compare();
                }
            } catch (Throwable error) {
                throw new AssertionError("seed " + seed + ", after " + done + ": " + error.getMessage(), error);
            }
        }

        private void step() {
            int dice = random.nextInt(50);
            if (dice < 30) {
                admit(random.nextInt(groups));
            } else if (dice < 48) {
                endAny();
            } else if (dice < 49) {
                int limit = anyLimit(random, 5);
                done.add("limit of all " + limit);
                started(permits.setLimit(limit), reference.setLimit(limit));
            } else {
                int group = random.nextInt(groups);
                int limit = 1 + random.nextInt(4);
                done.add("concurrency of group " + group + " " + limit);
                started(permits.setConcurrency(group, limit), reference.setConcurrency(group, limit));
            }
        }

        private void started(List<W> actual, List<Entry> expected) {
            assertThat(actual.stream().map(this::entry).toList()).isEqualTo(expected);
            waiting.removeAll(actual);
            running.addAll(actual);
        }

        private void admit(int group) {
            int number = done.size();
            Entry entry = reference.task(group, number);
            W task = permits.task(group, number);
            GroupQueue.Admission expected = reference.admit(entry);
            GroupQueue.Admission actual = permits.admit(task);
            known.put(number, entry);
            done.add(number + " to group " + group + " " + actual);
            assertThat(actual).isEqualTo(expected);
            switch (actual) {
                case STARTED -> running.add(task);
                case WAITING -> waiting.add(task);
                default -> known.remove(number);
            }
        }

        private void endAny() {
            switch (random.nextInt(4)) {
                case 0 -> withdraw();
                case 1 -> endBody();
                case 2 -> endFlight();
                default -> end();
            }
        }

        private @Nullable W any(List<W> from, String what) {
            W task = from.isEmpty() ? null : from.remove(random.nextInt(from.size()));
            if (task != null) {
                done.add(what + " " + permits.number(task));
            }
            return task;
        }

        private Entry entry(W task) {
            return known.get(permits.number(task));
        }

        private void withdraw() {
            W task = any(waiting, "withdraw");
            if (task != null) {
                reference.withdraw(entry(task));
                assertThat(permits.withdraw(task)).isTrue();
            }
        }

        private void end() {
            W task = any(running, "end");
            if (task != null) {
                started(permits.end(task), reference.end(entry(task)));
            }
        }

        private void endBody() {
            W task = any(running, "end body");
            if (task != null) {
                flying.add(task);
                started(permits.endBody(task), reference.endBody(entry(task)));
            }
        }

        private void endFlight() {
            W task = any(flying, "end flight");
            if (task != null) {
                started(permits.endFlight(task), reference.endFlight(entry(task)));
            }
        }

        private void started(@Nullable W actual, @Nullable Entry expected) {
            assertThat(actual == null ? null : entry(actual)).isSameAs(expected);
            if (actual != null) {
                waiting.remove(actual);
                running.add(actual);
                assertThat(permits.withdraw(actual)).isFalse();
            }
        }

        private void compare() {
            for (int group = 0; group < groups; group++) {
                assertThat(permits.counts(group)).isEqualTo(reference.counts(group));
            }
            assertThat(permits.out()).isEqualTo(reference.out());
            assertThat(permits.waiting()).isEqualTo(reference.waiting());
        }
    }
}

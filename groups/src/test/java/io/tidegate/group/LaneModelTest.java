package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.ReferenceLanes.Entry;
import io.tidegate.group.ReferenceLanes.Limits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Seeded random scripts for the bookkeeping alone, compared with the reference after every step. A failure names its
 * seed: {@code -Dtidegate.seed=N} plays that script alone, and {@code -Dtidegate.seeds=N} plays the first N.
 */
class LaneModelTest {
    private static final int STEPS = 150;

    static LongStream seeds(long count) {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", count));
    }

    @Test
    @DisplayName("GX-3 GX-4 GX-6 GX-7 random scripts start whom the reference starts")
    void script_lanes_agreeWithReference() {
        seeds(4_000).forEach(seed -> new Script(seed).play());
    }

    static List<Limits> anyLimits(Random random, int lanes) {
        List<Limits> limits = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            limits.add(new Limits(1 + random.nextInt(3), 1 + random.nextInt(4), random.nextInt(6)));
        }
        return limits;
    }

    static int anyLimit(Random random, int bound) {
        return random.nextInt(4) == 0 ? GroupPolicy.UNLIMITED : 1 + random.nextInt(bound);
    }

    private static final class Script {
        private final long seed;
        private final Random random;
        private final List<String> done = new ArrayList<>();
        private final ReferenceLanes reference;
        private final SharedPlaces shared;
        private final List<Lane> lanes = new ArrayList<>();
        private long time;
        private final Map<Waiter, Entry> known = new HashMap<>();
        private final List<Waiter> waiting = new ArrayList<>();
        private final List<Waiter> running = new ArrayList<>();
        private final List<Waiter> flying = new ArrayList<>();

        Script(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            int limit = anyLimit(random, 5);
            int threshold = anyLimit(random, 12);
            List<Limits> limits = anyLimits(random, 1 + random.nextInt(5));
            reference = new ReferenceLanes(limit, threshold, limits);
            shared = new SharedPlaces(limit, threshold, () -> ++time);
            for (Limits one : limits) {
                shared.addLane();
                lanes.add(new Lane(shared, "lane " + lanes.size(), one.concurrency(), one.inFlight(), one.threshold()));
            }
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
            if (random.nextInt(5) < 3) {
                admit(random.nextInt(lanes.size()));
            } else {
                endAny();
            }
        }

        private void admit(int lane) {
            Waiter waiter = new Waiter(lanes.get(lane));
            Entry entry = new Entry(lane, time + 1);
            known.put(waiter, entry);
            Lane.Admission expected = reference.admit(entry);
            Lane.Admission actual = lanes.get(lane).admit(waiter);
            done.add("admit " + lane + " " + actual);
            assertThat(actual).isEqualTo(expected);
            time++; // so that no two have the same time, whether it was asked for or not
            switch (actual) {
                case STARTED -> running.add(waiter);
                case WAITING -> waiting.add(waiter);
                default -> known.remove(waiter);
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

        private @Nullable Waiter any(List<Waiter> from) {
            return from.isEmpty() ? null : from.remove(random.nextInt(from.size()));
        }

        private void withdraw() {
            Waiter waiter = any(waiting);
            if (waiter != null) {
                done.add("withdraw " + waiter.lane.key);
                reference.withdraw(known.get(waiter));
                assertThat(waiter.lane.withdraw(waiter)).isTrue();
            }
        }

        private void end() {
            Waiter waiter = any(running);
            if (waiter != null) {
                done.add("end " + waiter.lane.key);
                started(waiter.lane.end(waiter), reference.end(known.get(waiter)));
            }
        }

        private void endBody() {
            Waiter waiter = any(running);
            if (waiter != null) {
                done.add("end body " + waiter.lane.key);
                flying.add(waiter);
                started(waiter.lane.endBody(), reference.endBody(known.get(waiter)));
            }
        }

        private void endFlight() {
            Waiter waiter = any(flying);
            if (waiter != null) {
                done.add("end flight " + waiter.lane.key);
                started(waiter.lane.endFlight(waiter), reference.endFlight(known.get(waiter)));
            }
        }

        private void started(@Nullable Waiter actual, @Nullable Entry expected) {
            assertThat(actual == null ? null : known.get(actual)).isSameAs(expected);
            if (actual != null) {
                waiting.remove(actual);
                running.add(actual);
                assertThat(actual.lane.withdraw(actual)).isFalse();
            }
        }

        private void compare() {
            for (int i = 0; i < lanes.size(); i++) {
                GroupStats stats = lanes.get(i).stats();
                assertThat(stats.running()).isEqualTo(reference.running(i));
                assertThat(stats.inFlight()).isEqualTo(reference.inFlight(i));
                assertThat(stats.waiting()).isEqualTo(reference.waiting(i));
            }
            assertThat(shared.out(reference.out())).isEqualTo(reference.out());
            assertThat(shared.waiting(reference.waiting())).isEqualTo(reference.waiting());
        }
    }
}

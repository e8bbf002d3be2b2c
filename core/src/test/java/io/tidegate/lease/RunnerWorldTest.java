package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Random lives of processes with runners on one engine: threads that are busy for longer than a lease, an engine that
 * is out of reach or whose answers get lost, deploys and sudden deaths. No acknowledged work is lost, and no work runs
 * whose lease is not held.
 */
class RunnerWorldTest {
    private static final long SEEDS = Long.getLong("tidegate.seeds", 150);
    private static final int RETRIES = 3;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SWEEP = Duration.ofSeconds(2);
    private static final int DOMAINS = 6;

    /** What can go wrong in a life. */
    private record Weather(boolean deaths, boolean deploys, boolean outages, boolean failures) {
        static Weather of(SplittableRandom random) {
            return new Weather(random.nextBoolean(), random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
        }
    }

    private static final class World {
        final long seed;
        final SplittableRandom random;
        final Weather weather;
        final VirtualTime time = new VirtualTime();
        final SharedStore store = new SharedStore(time::millis, LEASE, RETRIES);
        final List<RunnerProcess> processes = new ArrayList<>();
        final Map<String, Set<Long>> acknowledged = new HashMap<>();
        final Map<String, Integer> failuresOf = new HashMap<>();
        final List<CompletableFuture<Completion>> awaited = new ArrayList<>();
        boolean calm;

        @Nullable
        AssertionError wrong;

        World(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.weather = Weather.of(random);
        }

        /**
         * The first fault that was found. It is not thrown where it is found, because that may be inside a task, whose
         * errors the runner handles.
         */
        void fail(String domain, String what) {
            if (wrong != null) {
                return;
            }
            wrong = new AssertionError("seed " + seed + " (" + weather + ") at " + time.millis() + " ms: " + what
                    + "; again: -Dtest=RunnerWorldTest -Dtidegate.seed=" + seed + System.lineSeparator()
                    + String.join(System.lineSeparator(), store.story(domain)));
        }

        boolean often(int outOf) {
            return random.nextInt(outOf) == 0;
        }

        RunnerProcess newProcess() {
            RunnerProcess process = new RunnerProcess("p" + processes.size(), store, time, SWEEP, random);
            processes.add(process);
            process.threadsAfterNanos =
                    () -> often(10) ? random.nextLong(3 * LEASE.toNanos()) : random.nextLong(LEASE.toNanos() / 100);
            boolean[] outage = new boolean[1];
            if (weather.outages()) {
                process.before = () -> {
                    if (!calm && (outage[0] || often(20))) {
                        throw new IllegalStateException("away");
                    }
                };
                process.after = () -> {
                    if (!calm && often(20)) {
                        throw new IllegalStateException("answer lost");
                    }
                };
                time.after(random.nextLong(LEASE.toNanos()), () -> switchOutage(outage));
            }
            process.task = work -> begin(process, work);
            return process;
        }

        private void switchOutage(boolean[] outage) {
            outage[0] = !calm && !outage[0];
            long nanos = outage[0] ? random.nextLong(2 * LEASE.toNanos()) : random.nextLong(10 * LEASE.toNanos());
            if (!calm) {
                time.after(nanos, () -> switchOutage(outage));
            }
        }

        private CompletionStage<?> begin(RunnerProcess process, LeasedWork work) {
            String domain = work.domainId();
            if (!process.name.equals(store.holder(domain))) {
                fail(domain, process.name + " begins " + work + ", which " + store.holder(domain) + " holds");
            }
            if (store.processed(domain).contains(work.offset())) {
                fail(domain, process.name + " begins " + work + ", which is processed");
            }
            String key = domain + "/" + work.offset();
            if (!weather.deaths() && !weather.outages() && work.retryCount() != failuresOf.getOrDefault(key, 0)) {
                fail(domain, work + " where " + failuresOf.get(key) + " attempts have failed");
            }
            Duration takes = Duration.ofNanos(
                    often(8) ? random.nextLong(3 * LEASE.toNanos()) : random.nextLong(LEASE.toNanos() / 20));
            boolean fails = weather.failures() && often(3);
            boolean permanent = fails && often(6);
            return process.takes(takes, () -> {
                if (!weather.outages() && work.isLost()) {
                    fail(domain, process.name + " lost " + work + " though nothing was out of order");
                }
                if (fails) {
                    failuresOf.merge(key, 1, Integer::sum);
                    throw permanent ? new PermanentFailure("no use") : new IllegalStateException("fails");
                }
            });
        }

        private void offer() {
            List<RunnerProcess> up = processes.stream()
                    .filter(process -> !process.isDead() && !stopped.contains(process))
                    .toList();
            if (up.isEmpty()) {
                return;
            }
            RunnerProcess process = up.get(random.nextInt(up.size()));
            String domain = "domain " + random.nextInt(DOMAINS);
            long offset = random.nextLong(30);
            try {
                if (often(4)) {
                    awaited.add(process.runner.completion(domain, offset).toCompletableFuture());
                } else {
                    process.runner.offer(domain, offset);
                }
                acknowledged.computeIfAbsent(domain, id -> new HashSet<>()).add(offset);
            } catch (IllegalStateException away) {
                // not acknowledged
            }
        }

        final Set<RunnerProcess> stopped = new HashSet<>();

        private void disturb() {
            RunnerProcess process = processes.get(random.nextInt(processes.size()));
            if (process.isDead() || stopped.contains(process)) {
                return;
            }
            if (weather.deaths() && often(2)) {
                process.kill();
                newProcess();
            } else if (weather.deploys()) {
                stopped.add(process);
                process.runner.stop();
                newProcess();
            }
        }

        void live() {
            for (int i = 0; i < 2 + random.nextInt(2); i++) {
                newProcess();
            }
            int steps = 50 + random.nextInt(100);
            for (int i = 0; i < steps; i++) {
                offer();
                if (often(15)) {
                    disturb();
                }
                time.pass(random.nextLong(LEASE.toNanos() / 5));
                throwIfWrong();
            }
            calm = true;
            time.pass(LEASE.multipliedBy(100).toNanos());
            check();
            throwIfWrong();
        }

        private void throwIfWrong() {
            if (wrong != null) {
                throw wrong;
            }
        }

        private void check() {
            acknowledged.forEach((domain, offsets) -> offsets.forEach(offset -> {
                if (!store.processed(domain).contains(offset)
                        && !store.failed(domain).containsKey(offset)) {
                    fail(domain, offset + " of " + domain + " is lost");
                }
            }));
            for (int i = 0; i < DOMAINS; i++) {
                String domain = "domain " + i;
                if (store.hasOpen(domain)) {
                    fail(domain, domain + " has work that nobody does");
                }
                if (!weather.deaths() && !weather.outages()) {
                    store.failed(domain).keySet().forEach(offset -> requireParked(domain, offset));
                }
            }
            for (RunnerProcess process : processes) {
                LeaseRunnerStats stats = process.runner.stats();
                if (!process.isDead() && (stats.active() != 0 || stats.running() != 0 || stats.waiting() != 0)) {
                    fail("", process.name + " has not come to rest: " + stats);
                }
                if (!weather.outages() && !process.lost.isEmpty()) {
                    fail(process.lost.get(0).domainId(), process.name + " lost " + process.lost);
                }
            }
            if (!weather.deaths()) {
                awaited.forEach(end -> {
                    if (!end.isDone()) {
                        fail("", "somebody still waits for an end");
                    }
                });
            }
        }

        private void requireParked(String domain, long offset) {
            boolean told = processes.stream()
                    .flatMap(process -> process.parked.stream())
                    .anyMatch(work -> work.domainId().equals(domain) && work.offset() == offset);
            if (!told) {
                fail(domain, offset + " of " + domain + " was parked and nobody told");
            }
        }
    }

    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one == null ? LongStream.range(0, SEEDS) : LongStream.of(one);
    }

    @Test
    @DisplayName("WR-1 WR-2 WR-4 WR-5: whatever fails, acknowledged work comes to its end, and only the holder begins")
    void lives_any_nothingIsLost() {
        seeds().forEach(seed -> new World(seed).live());
        assertThat(SEEDS).isPositive();
    }
}

package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.broken.LeaseFactory;
import io.tidegate.lease.broken.RacyLease;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads that offer the same offsets, follow the hints, and fail now and then. */
@Tag("hot")
class StressTest {
    private static final int THREADS = 64;
    private static final int DOMAINS = 4;
    private static final int OFFSETS = 500;

    @Test
    @DisplayName("WL-2 WL-3 WL-8 WL-11 64 threads: one at a time, each offset ends once, fences rise, nothing is left")
    void manyThreads_tidegate_conserves() throws InterruptedException {
        assertThat(wrong(LeaseFactory.TIDEGATE)).isNull();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FINISHES_IN_TWO_STEPS") // no thread here finishes twice
    @Tag("broken")
    @DisplayName("and leases that only threads can break do not pass")
    void manyThreads_broken_isCaught(RacyLease broken) throws InterruptedException {
        String wrong = null;
        for (int round = 0; round < 2_000 && wrong == null; round++) {
            wrong = wrong(broken);
        }
        assertThat(wrong).isNotNull();
    }

    @Test
    @Timeout(600) // it would take hours if each offset were searched in the whole backlog
    @DisplayName("WL-12 a backlog of a million offsets, each offered twice")
    void backlog_million_isDeduplicated() {
        WorkLease lease = WorkLease.inMemory(0);
        int length = 1_000_000;
        String token = ((AcquireResult.Acquired) lease.tryAcquire("a", -1)).token();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < length; i++) {
                lease.tryAcquire("a", (long) i * 7 % length);
            }
        }
        List<Long> line = new ArrayList<>(lease.inspect("a").orElseThrow().backlog());
        assertThat(line).hasSize(DomainSnapshot.MOST_BACKLOG).startsWith(0L, 7L, 14L);
        while (line.size() < length) {
            line.addAll(lease.backlogBehind("a", line.get(line.size() - 1), 100_000));
        }
        assertThat(line).hasSize(length).doesNotHaveDuplicates();
        assertThat(lease.backlogBehind("a", line.get(length - 1), 1)).isEmpty();
        assertThat(lease.succeed("a", token)).isEqualTo(new SucceedResult.NextHint(0));
    }

    /** Returns what went wrong, or null. */
    private static @Nullable String wrong(LeaseFactory factory) throws InterruptedException {
        List<Domain> domains = new ArrayList<>();
        WorkLease lease = factory.create(1);
        for (int i = 0; i < DOMAINS; i++) {
            domains.add(new Domain(lease, "domain " + i));
        }
        AtomicReference<String> failure = new AtomicReference<>();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = Stream.iterate(0, i -> i + 1)
                .limit(THREADS)
                .map(number -> new Thread(() -> {
                    try {
                        start.await();
                        offerAll(domains, new Random(number));
                    } catch (Throwable thrown) {
                        failure.compareAndSet(null, thrown.toString());
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return failure.get() != null
                ? failure.get()
                : domains.stream()
                        .map(Domain::wrongAtTheEnd)
                        .filter(wrong -> !wrong.isEmpty())
                        .findFirst()
                        .orElse(null);
    }

    private static void offerAll(List<Domain> domains, Random random) {
        for (int i = 0; i < DOMAINS * OFFSETS; i++) {
            domains.get(i % DOMAINS).offer(i / DOMAINS + random.nextInt(8) - 4, random);
        }
    }

    private static final class Domain {
        private final WorkLease lease;
        private final String name;
        private final AtomicInteger holders = new AtomicInteger();
        private final int[] runs = new int[OFFSETS + 10]; // this and the next are guarded by the lease
        private long lastFence;
        private final AtomicInteger succeeded = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();

        Domain(WorkLease lease, String name) {
            this.lease = lease;
            this.name = name;
        }

        /** Offers an offset, and does the work and follows the hint for as long as the lease grants offsets. */
        void offer(long offset, Random random) {
            Long next = offset + 5;
            while (next != null) {
                try {
                    AcquireResult answer = lease.tryAcquire(name, next);
                    next = answer instanceof AcquireResult.Acquired acquired ? work(next, acquired, random) : null;
                } catch (BacklogOrderingException head) {
                    next = head.expected();
                }
            }
        }

        private @Nullable Long work(long offset, AcquireResult.Acquired acquired, Random random) {
            if (holders.incrementAndGet() != 1 || ++runs[(int) offset] != 1 || acquired.fence() <= lastFence) {
                throw new AssertionError("two holders, or a second run, or an old fence at " + offset);
            }
            lastFence = acquired.fence();
            int failures = random.nextInt(8) == 0 ? 1 + random.nextInt(2) : 0;
            if (failures > 0) {
                lease.fail(name, acquired.token());
            }
            holders.decrementAndGet();
            if (failures == 2) {
                failed.incrementAndGet();
                FailResult answer = lease.fail(name, acquired.token());
                return answer instanceof FailResult.GiveUpNextHint hint ? hint.offset() : null;
            }
            succeeded.incrementAndGet();
            SucceedResult answer = lease.succeed(name, acquired.token());
            return answer instanceof SucceedResult.NextHint hint ? hint.offset() : null;
        }

        String wrongAtTheEnd() {
            DomainSnapshot end = lease.inspect(name).orElseThrow();
            boolean right = end.lease().isEmpty()
                    && end.backlog().isEmpty()
                    && end.processedCount() == succeeded.get()
                    && end.failedCount() == failed.get();
            return right ? "" : end + ", but " + succeeded + " succeeded and " + failed + " failed";
        }
    }
}

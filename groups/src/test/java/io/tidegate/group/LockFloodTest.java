package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.contract.Jvm;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endless tiny tasks beside a thread that has waited for a lock of the library. */
class LockFloodTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Timeout(600)
    @DisplayName("GX-7 a thread that has waited for a lock gets it whatever floods run elsewhere, and others after it")
    void lock_underFlood_goesToWhoWaited(int carriers) throws Exception {
        String printed = Jvm.runOn(carriers, folder, Load.class);

        assertThat(printed).isEqualTo("locked " + Load.ROUNDS + " times" + System.lineSeparator());
    }

    /**
     * A permit goes from group to group, each time with a new thread, so that carriers always have one in their queues.
     */
    static final class Load {
        static final int ROUNDS = 50;
        private static final int GROUPS = 50;
        private static final long TOO_MANY = 5_000_000; // as in the test of floods
        private static final long POLL_NANOS = 50_000;

        private static final AtomicLong RAN = new AtomicLong();

        private static volatile boolean over;

        private Load() {}

        public static void main(String[] none) {
            GroupPolicy policy = GroupPolicy.builder().globalMaxInFlight(2).build();
            try (GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy)) {
                for (int i = 0; i < GROUPS; i++) {
                    again(executor, "wild " + i);
                }
                for (int i = 0; i < ROUNDS; i++) {
                    passLock(executor, "waiter " + i);
                }
                over = true;
            }
            System.out.println("locked " + ROUNDS + " times");
        }

        private static int again(GroupExecutor executor, String group) {
            RAN.incrementAndGet();
            if (!over) {
                executor.submit(group, "task", () -> again(executor, group));
            }
            return 1;
        }

        private static void passLock(GroupExecutor executor, String group) {
            SpinThenParkLock lock = new SpinThenParkLock();
            TaskHandle<Integer> waiter;
            lock.lock();
            try {
                waiter = executor.submit(group, "waiter", () -> {
                    lock.lock();
                    try {
                        return lock.getQueueLength();
                    } finally {
                        lock.unlock();
                    }
                });
                awaitWaiter(lock);
            } finally {
                lock.unlock();
            }
            awaitEnd(waiter);
        }

        private static void awaitWaiter(SpinThenParkLock lock) {
            while (!lock.hasQueuedThreads()) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }

        private static void awaitEnd(TaskHandle<?> waiter) {
            long start = RAN.get();
            while (!waiter.isDone()) {
                if (RAN.get() - start > TOO_MANY) {
                    System.out.println("not locked before " + TOO_MANY + " others had run");
                    Runtime.getRuntime().halt(1);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }
}

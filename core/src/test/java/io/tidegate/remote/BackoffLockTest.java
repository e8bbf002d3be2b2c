package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BriefLockTest {
    private static final int THREADS = 8;
    private static final int TURNS = 200_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final BackoffLock lock = new BackoffLock();
    private long sum;

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void take_moreThreadsThanProcessors_oneAtATime() throws Exception {
        Callable<Void> adder = () -> {
            for (int i = 0; i < TURNS; i++) {
                lock.take();
                sum++;
                lock.state = BackoffLock.FREE;
            }
            return null;
        };
        for (Future<Void> end :
                Stream.generate(() -> threads.submit(adder)).limit(THREADS).toList()) {
            end.get(10, TimeUnit.MINUTES);
        }
        assertThat(sum).isEqualTo((long) THREADS * TURNS);
    }

    @Test
    void take_heldByOneThatHasLostItsProcessor_waitsUntilItIsFree() throws Exception {
        lock.take();
        Future<Long> waiter = threads.submit(() -> {
            lock.take();
            return sum;
        });
        assertThatThrownBy(() -> waiter.get(20, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        sum = 1;
        lock.state = BackoffLock.FREE;
        assertThat(waiter.get(10, TimeUnit.MINUTES)).isEqualTo(1);
    }

    @Test
    void operation_stackAtItsEnd_lockIsFreeAgain() throws Exception {
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(1_000_000).build();
        for (int i = 0; i < 50; i++) {
            assertThatThrownBy(() -> dive(bulkhead)).isInstanceOf(StackOverflowError.class);
            threads.submit(() -> bulkhead.setMaxInFlight(1_000_001, 0)).get(10, TimeUnit.MINUTES);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static int dive(RemoteBulkhead bulkhead) {
        bulkhead.recordForegroundLatency(1, 1);
        bulkhead.inFlight();
        return dive(bulkhead) + 1;
    }
}

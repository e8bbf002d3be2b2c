package io.tidegate.peers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.failsafe.Bulkhead;
import dev.failsafe.Failsafe;
import io.tidegate.remote.AcquireResult;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * One request waits for the only permit, and is cancelled when that permit becomes free. Whichever comes first, in the
 * end no request is left and the permit must be free. resilience4j is left out: a request that waits for its bulkhead
 * is a blocked thread and not a future, so it cannot be cancelled.
 */
class CancelWhileWokenTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** How long each library must pass. */
    private static final Duration LIMIT = Duration.ofMillis(Long.getLong("tidegate.race.millis", 300));

    /** A bulkhead with one permit. */
    private interface OnePermit {
        /** Takes the permit, if it is free; it may take a moment to come back. */
        boolean take() throws InterruptedException;

        /** A request that waits for the permit, and is done as soon as it has it. */
        CompletableFuture<String> enqueue() throws InterruptedException;

        void free();
    }

    @Test
    void failsafe_losesThePermit() throws InterruptedException {
        assertThat(losesPermit(new FailsafeBulkhead(), LONG)).isTrue();
    }

    @Test
    void tidegate_losesNone() throws InterruptedException {
        assertThat(losesPermit(new TidegateClient(), LIMIT)).isFalse();
    }

    @Test
    void inTurn_nobodyLosesOne() throws InterruptedException {
        for (OnePermit bulkhead : List.of(new FailsafeBulkhead(), new TidegateClient())) {
            assertThat(bulkhead.take()).isTrue();
            CompletableFuture<String> cancelled = bulkhead.enqueue();
            CompletableFuture<String> woken = bulkhead.enqueue();
            cancelled.cancel(false);
            bulkhead.free();
            assertThat(woken.join()).isEqualTo("done");
            assertThat(isTakenInTheEnd(bulkhead)).isTrue();
        }
    }

    private static boolean isTakenInTheEnd(OnePermit bulkhead) throws InterruptedException {
        for (int tries = 0; tries < 300; tries++) {
            if (bulkhead.take()) {
                return true;
            }
        }
        return false;
    }

    private static boolean losesPermit(OnePermit bulkhead, Duration limit) throws InterruptedException {
        AtomicBoolean meeting = new AtomicBoolean();
        Thread opponent = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                if (meeting.get()) {
                    bulkhead.free();
                    meeting.set(false);
                }
                Thread.onSpinWait();
            }
        });
        opponent.start();
        try {
            long start = System.nanoTime();
            while (bulkhead.take()) {
                if (System.nanoTime() - start > limit.toNanos()) {
                    return false;
                }
                CompletableFuture<String> waits = bulkhead.enqueue();
                meeting.set(true);
                waits.cancel(false);
                while (meeting.get()) {
                    Thread.onSpinWait();
                }
            }
            return true;
        } finally {
            opponent.interrupt();
            opponent.join();
        }
    }

    private static final class FailsafeBulkhead implements OnePermit {
        private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        private final Bulkhead<String> bulkhead =
                Bulkhead.<String>builder(1).withMaxWaitTime(LONG).build();

        @Override
        public boolean take() throws InterruptedException {
            return bulkhead.tryAcquirePermit(Duration.ofSeconds(2));
        }

        @Override
        public CompletableFuture<String> enqueue() throws InterruptedException {
            CompletableFuture<String> waits = Failsafe.with(bulkhead)
                    .with(executor)
                    .getStageAsync(() -> CompletableFuture.completedFuture("done"));
            executor.invokeAll(List.of(() -> "the only thread has put it into the queue"));
            return waits;
        }

        @Override
        public void free() {
            bulkhead.releasePermit();
        }
    }

    private static final class TidegateClient implements OnePermit {
        private final RemoteBulkhead bulkhead = RemoteBulkhead.builder(1)
                .policy(BackpressurePolicy.queue(2, LONG.toMillis()))
                .build();
        private final RemoteBulkheadClient client =
                RemoteBulkheadClient.builder(bulkhead).executor(Runnable::run).build();
        private final RemoteCapability capability = client.takeCapability();
        private volatile @Nullable BulkheadPermit permit;
        private int number;

        @Override
        public boolean take() {
            permit = bulkhead.acquire(true, "held", 0) instanceof AcquireResult.Granted granted
                    ? granted.permit()
                    : null;
            return permit != null;
        }

        @Override
        public CompletableFuture<String> enqueue() {
            return client.submit(capability, "request " + number++, () -> CompletableFuture.completedFuture("done"))
                    .toCompletableFuture();
        }

        @Override
        public void free() {
            bulkhead.release(requireNonNull(permit), 0);
        }
    }
}

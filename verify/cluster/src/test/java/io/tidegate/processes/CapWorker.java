package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.DrainReport;
import io.tidegate.remote.RemoteCapability;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Follows one order: always wants more of a shared cap than there is. Each line of its history is in the file before
 * the worker goes on, so the line stays when the process is killed.
 */
final class CapWorker implements AutoCloseable {
    /** The command after which operations do not end. */
    static final String HOLD = "HOLD";

    /** The command that ends everything. */
    static final String END = "END";

    /** The prefix of the names of operations that do not end. */
    static final String ENDLESS = "endless";

    private static final int IDLE_MILLIS = 2;
    private static final int SHORTEST_MILLIS = 5;
    private static final int LONGEST_MILLIS = 50;
    private static final Duration WAIT = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private enum Phase {
        SHORT_OPERATIONS,
        ENDLESS_OPERATIONS,
        NO_OPERATIONS
    }

    private final CapOrder order;
    private final OutputStream history;
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong operations = new AtomicLong();
    private final Queue<Runnable> endless = new ConcurrentLinkedQueue<>();
    private volatile Phase phase = Phase.SHORT_OPERATIONS;

    private CapWorker(CapOrder order, OutputStream history) {
        this.order = order;
        this.history = history;
    }

    static void follow(CapOrder order, BufferedReader commands) throws IOException, InterruptedException {
        try (CapClient client = connect(order);
                OutputStream history = new FileOutputStream(order.history().toFile());
                CapWorker worker = new CapWorker(order, history)) {
            Thread listening = Thread.ofVirtual().start(() -> worker.listen(commands));
            worker.run(worker.member(client.store()));
            listening.join();
        }
    }

    /** Waits longer in each try: on a busy machine the first connection of a process takes long. */
    private static CapClient connect(CapOrder order) throws InterruptedException {
        Duration wait = WAIT;
        while (true) {
            try {
                return CapClient.connect(order.engine(), order.port(), order.name(), wait);
            } catch (RuntimeException away) {
                if (!order.engine().isAway(away)) {
                    throw away;
                }
                wait = wait.multipliedBy(2).compareTo(PATIENCE) < 0 ? wait.multipliedBy(2) : PATIENCE;
                TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
            }
        }
    }

    private void listen(BufferedReader commands) {
        try {
            for (String line = commands.readLine(); line != null && !line.equals(END); line = commands.readLine()) {
                phase = Phase.ENDLESS_OPERATIONS;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            phase = Phase.NO_OPERATIONS;
        }
    }

    private ClusterBulkhead member(CapStore store) {
        ClusterBulkhead.Builder builder = ClusterBulkhead.builder(
                        new Recording(store), order.name(), order.cap(), scheduler)
                .leaseDuration(Duration.ofMillis(order.leaseMillis()))
                .policy(
                        order.rejects()
                                ? BackpressurePolicy.reject()
                                : BackpressurePolicy.queue(2 * order.cap(), PATIENCE.toMillis()));
        return (order.strict() ? builder.strict() : builder).build();
    }

    private void run(ClusterBulkhead bulkhead) throws InterruptedException {
        RemoteCapability capability = bulkhead.takeCapability();
        while (phase != Phase.NO_OPERATIONS) {
            for (int i = outstanding.get(); i < 2 * order.cap(); i++) {
                outstanding.incrementAndGet();
                bulkhead.submit(capability, "r" + requests.incrementAndGet(), this::operate)
                        .whenComplete((value, error) -> outstanding.decrementAndGet());
            }
            TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
        }
        CompletionStage<DrainReport> drained = bulkhead.drain(PATIENCE);
        while (!drained.toCompletableFuture().isDone()) {
            endAllEndless(); // an operation may have begun just before
            TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
        }
        bulkhead.close();
    }

    private void endAllEndless() {
        for (Runnable end = endless.poll(); end != null; end = endless.poll()) {
            end.run();
        }
    }

    private CompletionStage<String> operate() {
        long nanos = System.nanoTime();
        Phase begunIn = phase;
        String id = (begunIn == Phase.ENDLESS_OPERATIONS ? ENDLESS : "") + operations.incrementAndGet();
        record("START " + id + " " + nanos);
        CompletableFuture<String> operation = new CompletableFuture<>();
        Runnable end = () -> {
            record("END " + id + " " + System.nanoTime());
            operation.complete("done");
        };
        switch (begunIn) {
            case SHORT_OPERATIONS -> endLater(end);
            case ENDLESS_OPERATIONS -> endless.add(end);
            case NO_OPERATIONS -> end.run();
        }
        return operation;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for the stage
    private void endLater(Runnable end) {
        int millis = ThreadLocalRandom.current().nextInt(SHORTEST_MILLIS, LONGEST_MILLIS);
        timer.schedule(end, millis, TimeUnit.MILLISECONDS);
    }

    private synchronized void record(String line) {
        try {
            history.write((line + "\n").getBytes(UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        timer.shutdown();
    }

    /** Records the time from call to answer of each answered claim. */
    private final class Recording implements CapStore {
        private final CapStore store;

        Recording(CapStore store) {
            this.store = store;
        }

        @Override
        public Share claim(Claim claim) {
            long sent = System.nanoTime();
            Share share = order.twin().answered(claim, store.claim(order.twin().sent(claim)));
            record("LEASE " + sent + " " + System.nanoTime());
            return share;
        }

        @Override
        public void leave(String bulkhead, String owner) {
            store.leave(bulkhead, owner);
        }

        @Override
        public void setCap(String bulkhead, int cap) {
            store.setCap(bulkhead, cap);
        }

        @Override
        public boolean delete(String bulkhead) {
            return store.delete(bulkhead);
        }

        @Override
        public Optional<Division> inspect(String bulkhead) {
            return store.inspect(bulkhead);
        }
    }
}

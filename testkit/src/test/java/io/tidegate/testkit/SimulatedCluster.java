package io.tidegate.testkit;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.RemoteCapability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Processes that share a cap, in virtual time. A round trip to the engine is time that passes between planning a claim
 * and making it.
 */
final class SimulatedCluster {
    private static final long RETRY_MILLIS = 100;

    final VirtualTime time = new VirtualTime();
    final List<Process> processes = new ArrayList<>();
    private final InMemoryCapStore engine = new InMemoryCapStore(time::millis);
    private final long roundTripNanos;
    private final int cap;
    private final UnaryOperator<ClusterBulkhead.Builder> settings;
    private final Random random = new Random(1);
    long claims;
    private int inFlight;
    private int mostInFlight;

    SimulatedCluster(int cap, Duration lease, Duration roundTrip, UnaryOperator<ClusterBulkhead.Builder> settings) {
        this.cap = cap;
        this.roundTripNanos = roundTrip.toNanos();
        this.settings = builder -> settings.apply(builder.leaseDuration(lease));
    }

    /** Adds a process, which joins now. */
    Process join() {
        Process process = new Process();
        processes.add(process);
        time.later(0, process::start);
        return process;
    }

    int mostInFlight() {
        return mostInFlight;
    }

    long served() {
        return processes.stream().mapToLong(process -> process.served).sum();
    }

    /** A process that keeps so many requests going, each for so long, and tries again when one is refused. */
    final class Process implements CapStore {
        private ClusterBulkhead bulkhead;
        private RemoteCapability capability;
        private long operationMillis;
        private int wanted;
        private int outstanding;
        private long requests;
        private boolean retrying;
        long served;
        final Map<String, Integer> refusals = new TreeMap<>();

        private void start() {
            bulkhead = settings.apply(ClusterBulkhead.builder(this, "pay", cap, time.scheduler(roundTripNanos))
                            .executor(start -> time.later(0, start))
                            .ticker(time::nanos)
                            .random(random))
                    .build();
            capability = bulkhead.takeCapability();
            fill();
        }

        int slice() {
            return bulkhead.standing().slice();
        }

        /** Keeps so many requests going from now on. */
        void want(int atATime, long millisEach) {
            wanted = atATime;
            operationMillis = millisEach;
            time.later(0, this::fill);
        }

        /** Submits one request now. */
        void request(long millis) {
            operationMillis = millis;
            outstanding++;
            time.later(0, this::submit);
        }

        private void fill() {
            int missing = bulkhead == null ? 0 : wanted - outstanding;
            for (int i = 0; i < missing; i++) {
                outstanding++;
                submit();
            }
        }

        private void next() {
            if (outstanding < wanted) {
                outstanding++;
                submit();
            }
        }

        private void submit() {
            bulkhead.submit(capability, "r" + requests++, this::operate).whenComplete((value, error) -> {
                outstanding--;
                if (error instanceof BulkheadException refusal) {
                    refusals.merge(refusal.code(), 1, Integer::sum);
                    retryLater();
                } else {
                    time.later(0, this::next);
                }
            });
        }

        private void retryLater() {
            if (!retrying) {
                retrying = true;
                time.laterMillis(RETRY_MILLIS, () -> {
                    retrying = false;
                    fill();
                });
            }
        }

        private CompletableFuture<String> operate() {
            CompletableFuture<String> operation = new CompletableFuture<>();
            inFlight++;
            mostInFlight = Math.max(mostInFlight, inFlight);
            time.laterMillis(operationMillis, () -> {
                inFlight--;
                served++;
                operation.complete("done");
            });
            return operation;
        }

        @Override
        public Share claim(Claim claim) {
            claims++;
            return engine.claim(claim);
        }

        @Override
        public void leave(String name, String owner) {
            engine.leave(name, owner);
        }

        @Override
        public void setCap(String name, int newCap) {
            engine.setCap(name, newCap);
        }

        @Override
        public boolean delete(String name) {
            return engine.delete(name);
        }

        @Override
        public Optional<Division> inspect(String name) {
            return engine.inspect(name);
        }
    }
}

package io.tidegate.bench.remote;

import static io.tidegate.bench.Contestant.floor;
import static io.tidegate.bench.Contestant.peer;
import static io.tidegate.bench.Contestant.reference;
import static io.tidegate.bench.Contestant.tidegate;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Part;
import io.tidegate.bench.Row;
import io.tidegate.bench.Target;
import java.util.List;
import java.util.Map;

/** The rows of the remote bulkhead. */
public final class RemotePart {
    private static final String RESILIENCE4J = "resilience4j";
    private static final String FAILSAFE = "Failsafe";
    private static final String CONCURRENCY_LIMITS = "concurrency-limits";
    private static final String FAIR_SEMAPHORE = "fair Semaphore";
    private static final String SAME_WORK = "fair Semaphore, clock, future";
    private static final String CLIENT = "Tidegate client";
    private static final Map<String, String> ONE_PERMIT = Map.of("permits", "1");

    private static final Row PERMIT = new Row(
            "permit taken and given back",
            "permit",
            List.of(
                    floor(FAIR_SEMAPHORE, PermitBenchmark.FairSemaphore.class),
                    peer(RESILIENCE4J, PermitBenchmark.Resilience4j.class),
                    peer(FAILSAFE, PermitBenchmark.Failsafe.class),
                    peer(CONCURRENCY_LIMITS, PermitBenchmark.ConcurrencyLimits.class),
                    reference(SAME_WORK, PermitBenchmark.SemaphoreClockAndFuture.class),
                    tidegate("Tidegate machine", PermitBenchmark.TidegateMachine.class),
                    tidegate(CLIENT, PermitBenchmark.TidegateClient.class)),
            List.of(
                    Target.time(2, 5, FAIR_SEMAPHORE),
                    Target.time(2, 5, FAIR_SEMAPHORE).by(CLIENT),
                    Target.time(2, 5, SAME_WORK).by(CLIENT)));

    private static final Row TURN = new Row(
                    "one permit, 4 threads in line",
                    "permit",
                    List.of(
                            onePermit(floor(FAIR_SEMAPHORE, PermitBenchmark.FairSemaphore.class)),
                            onePermit(peer(RESILIENCE4J, PermitBenchmark.Resilience4j.class)),
                            onePermit(peer(FAILSAFE, PermitBenchmark.Failsafe.class)),
                            onePermit(peer(CONCURRENCY_LIMITS, PermitBenchmark.ConcurrencyLimits.class)),
                            onePermit(tidegate(CLIENT, PermitBenchmark.TidegateClient.class))),
                    List.of(Target.time(4, 5, FAIR_SEMAPHORE)))
            .on(4);

    private static final Row WAKE = new Row(
                    "operation queued and woken, no thread waits",
                    "wake",
                    List.of(
                            floor("hand-written, no contract", WakeBenchmark.HandWritten.class),
                            peer(FAILSAFE, WakeBenchmark.Failsafe.class),
                            tidegate("Tidegate client, same thread", WakeBenchmark.TidegateSameThread.class),
                            tidegate("Tidegate client, common pool", WakeBenchmark.Tidegate.class)),
                    List.of(Target.time(1, 1, FAILSAFE).by("Tidegate client, common pool")))
            .on(1);

    private static final Row P99 = new Row(
                    "p99 of 1,024 latencies, read",
                    "read",
                    List.of(
                            floor("buckets, from the top", LatencyBenchmark.Buckets.class),
                            reference("copy and sort", LatencyBenchmark.CopyAndSort.class),
                            tidegate("Tidegate machine", LatencyBenchmark.Tidegate.class)),
                    List.of(Target.nanos(1, 300), Target.bytes(1, 0)))
            .on(1);

    private static final Row RECORD = new Row(
                    "latency recorded, p99 read",
                    "recordAndRead",
                    List.of(
                            floor("buckets, from the top", LatencyBenchmark.Buckets.class),
                            reference("copy and sort", LatencyBenchmark.CopyAndSort.class),
                            tidegate("Tidegate machine", LatencyBenchmark.Tidegate.class)),
                    List.of())
            .on(1);

    /** The measurements of the remote bulkhead. */
    public static final Part PART = new Part(
            "remote",
            "Remote bulkhead",
            List.of(RESILIENCE4J, FAILSAFE, CONCURRENCY_LIMITS),
            List.of(PERMIT, TURN, WAKE, P99, RECORD),
            List.of(
                    "The machine logs two events for each permit; the client logs three, reads the clock twice and"
                            + " records a latency.",
                    "In line, a thread of the client waits in `join`, and a thread of the others in the request "
                            + "for a permit."));

    private RemotePart() {}

    private static Contestant onePermit(Contestant contestant) {
        return contestant.with(ONE_PERMIT);
    }
}

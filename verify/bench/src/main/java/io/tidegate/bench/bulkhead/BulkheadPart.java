package io.tidegate.bench.bulkhead;

import static io.tidegate.bench.Contestant.floor;
import static io.tidegate.bench.Contestant.peer;
import static io.tidegate.bench.Contestant.reference;
import static io.tidegate.bench.Contestant.tidegate;

import io.tidegate.bench.Part;
import io.tidegate.bench.Row;
import io.tidegate.bench.Target;
import io.tidegate.bulkhead.TidegatePermits;
import java.util.List;

/** The rows of the async bulkhead. */
public final class BulkheadPart {
    private static final String RESILIENCE4J = "resilience4j";
    private static final String FAILSAFE = "Failsafe";
    private static final String CONCURRENCY_LIMITS = "concurrency-limits";
    private static final String SMALLRYE = "SmallRye";
    private static final String GRADIENT2 = CONCURRENCY_LIMITS + ", Gradient2";
    private static final String TIDEGATE = "Tidegate";
    private static final String ADAPTIVE = TIDEGATE + ", adaptive";

    private static final Row PERMIT = new Row(
            "permit taken and given back",
            "permit",
            List.of(
                    floor("compare-and-set loop", PermitBenchmark.CasLoop.class),
                    reference("Semaphore", PermitBenchmark.JdkSemaphore.class),
                    peer(RESILIENCE4J, PermitBenchmark.Resilience4j.class),
                    peer(FAILSAFE, PermitBenchmark.Failsafe.class),
                    peer(CONCURRENCY_LIMITS, PermitBenchmark.ConcurrencyLimits.class),
                    peer(GRADIENT2, PermitBenchmark.Gradient2.class),
                    tidegate(TIDEGATE, TidegatePermits.class),
                    tidegate(ADAPTIVE, PermitBenchmark.Adaptive.class)),
            List.of(
                    Target.time(1, 1.2, "compare-and-set loop"),
                    Target.bytes(1, 0),
                    Target.time(2, 1.2, "compare-and-set loop"),
                    Target.time(2, 1 / 2.5, RESILIENCE4J)));

    private static final Row REFUSED_PERMIT = new Row(
            "refusal as a value",
            "refused",
            List.of(
                    floor("volatile read", PermitBenchmark.CasLoop.class),
                    reference("Semaphore", PermitBenchmark.JdkSemaphore.class),
                    peer(RESILIENCE4J, PermitBenchmark.Resilience4j.class),
                    peer(FAILSAFE, PermitBenchmark.Failsafe.class),
                    peer(CONCURRENCY_LIMITS, PermitBenchmark.ConcurrencyLimits.class),
                    peer(GRADIENT2, PermitBenchmark.Gradient2.class),
                    tidegate(TIDEGATE, TidegatePermits.class),
                    tidegate(ADAPTIVE, PermitBenchmark.Adaptive.class)),
            List.of(Target.time(2, 3, "volatile read"), Target.bytes(2, 0)));

    private static final Row DONE = new Row(
            "submit, operation already done",
            "done",
            List.of(
                    floor("counter, fast path", SubmitBenchmark.Floor.class),
                    reference("counter + whenComplete", SubmitBenchmark.HandWritten.class),
                    peer(RESILIENCE4J, SubmitBenchmark.Resilience4j.class),
                    peer(FAILSAFE, SubmitBenchmark.Failsafe.class),
                    peer(SMALLRYE, SubmitBenchmark.SmallRye.class),
                    peer(CONCURRENCY_LIMITS + " + whenComplete", SubmitBenchmark.ConcurrencyLimits.class),
                    peer(GRADIENT2 + " + whenComplete", SubmitBenchmark.Gradient2.class),
                    tidegate(TIDEGATE, SubmitBenchmark.Tidegate.class),
                    tidegate(ADAPTIVE, SubmitBenchmark.TidegateAdaptive.class)),
            List.of(Target.time(1, 1.5, "counter, fast path"), Target.bytes(1, 0)));

    private static final Row PENDING = new Row(
            "submit, operation pending",
            "pending",
            List.of(
                    floor("shared hook, no contract", SubmitBenchmark.Floor.class),
                    reference("future as its own hook", SubmitBenchmark.SelfHooked.class),
                    reference("counter + whenComplete", SubmitBenchmark.HandWritten.class),
                    peer(RESILIENCE4J, SubmitBenchmark.Resilience4j.class),
                    peer(FAILSAFE, SubmitBenchmark.Failsafe.class),
                    peer(SMALLRYE, SubmitBenchmark.SmallRye.class),
                    peer(CONCURRENCY_LIMITS + " + whenComplete", SubmitBenchmark.ConcurrencyLimits.class),
                    peer(GRADIENT2 + " + whenComplete", SubmitBenchmark.Gradient2.class),
                    tidegate(TIDEGATE, SubmitBenchmark.Tidegate.class),
                    tidegate(ADAPTIVE, SubmitBenchmark.TidegateAdaptive.class),
                    tidegate(TIDEGATE + ", listener", SubmitBenchmark.TidegateWithListener.class),
                    tidegate(TIDEGATE + ", OPERATION", SubmitBenchmark.TidegateHoldingForOperation.class)),
            List.of(
                    Target.time(1, 1.15, "future as its own hook"),
                    Target.time(1, 1, RESILIENCE4J),
                    Target.memory(1, 1, RESILIENCE4J)));

    private static final Row REFUSED = new Row(
            "submit, refused",
            "refused",
            List.of(
                    floor("read, shared failed stage", SubmitBenchmark.Floor.class),
                    peer(RESILIENCE4J, SubmitBenchmark.Resilience4j.class),
                    peer(RESILIENCE4J + ", no stack trace", SubmitBenchmark.Resilience4jWithoutStack.class),
                    peer(FAILSAFE, SubmitBenchmark.Failsafe.class),
                    peer(SMALLRYE, SubmitBenchmark.SmallRye.class),
                    peer(CONCURRENCY_LIMITS + " + shared stage", SubmitBenchmark.ConcurrencyLimits.class),
                    tidegate(TIDEGATE, SubmitBenchmark.Tidegate.class),
                    tidegate(ADAPTIVE, SubmitBenchmark.TidegateAdaptive.class)),
            List.of(Target.nanos(1, 5), Target.bytes(1, 0), Target.nanos(2, 5), Target.bytes(2, 0)));

    /** The measurements of the async bulkhead. */
    public static final Part PART = new Part(
            "bulkhead",
            "Async bulkhead",
            List.of(RESILIENCE4J, FAILSAFE, CONCURRENCY_LIMITS, SMALLRYE),
            List.of(PERMIT, REFUSED_PERMIT, DONE, PENDING, REFUSED),
            List.of());

    private BulkheadPart() {}
}

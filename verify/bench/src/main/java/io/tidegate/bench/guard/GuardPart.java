package io.tidegate.bench.guard;

import static io.tidegate.bench.Contestant.floor;
import static io.tidegate.bench.Contestant.peer;
import static io.tidegate.bench.Contestant.reference;
import static io.tidegate.bench.Contestant.tidegate;

import io.tidegate.bench.Part;
import io.tidegate.bench.Row;
import io.tidegate.bench.Target;
import io.tidegate.bench.bulkhead.PermitBenchmark;
import java.util.ArrayList;
import java.util.List;

/** The rows of the guard. */
public final class GuardPart {
    private static final String BY_HAND = "parts by hand";
    private static final String RESILIENCE4J = "resilience4j";
    private static final String FAILSAFE = "Failsafe";
    private static final String SMALLRYE = "SmallRye";
    private static final String CONCURRENCY_LIMITS = "concurrency-limits";
    private static final String GUARD = "Tidegate guard";
    private static final String UNSEEN = "guard that nobody reads";
    private static final String VIEWED = "shown to ten viewers";
    private static final double FIVE_TIMES_FASTER = 1 / 5.0;

    private static final Row PLAIN = new Row(
            "call through breaker and bulkhead",
            "plain",
            List.of(
                    floor(BY_HAND, CallBenchmark.ByHand.class),
                    peer(RESILIENCE4J, CallBenchmark.Resilience4j.class),
                    peer(FAILSAFE, CallBenchmark.Failsafe.class),
                    peer(SMALLRYE, CallBenchmark.SmallRye.class),
                    tidegate(GUARD, CallBenchmark.Guarded.class)),
            plainTargets());

    private static final Row SEEN = new Row(
            "the same, seen from outside",
            "plain",
            List.of(
                    floor(UNSEEN, CallBenchmark.Guarded.class),
                    tidegate("scraped by Micrometer", CallBenchmark.Scraped.class),
                    tidegate(VIEWED, CallBenchmark.Viewed.class),
                    reference("in a flight recording", CallBenchmark.Recorded.class),
                    reference("with a watch of holders", CallBenchmark.Watched.class)),
            List.of(
                    Target.time(1, 1.15, UNSEEN),
                    Target.time(2, 1.15, UNSEEN),
                    Target.bytes(1, 0),
                    Target.bytes(2, 0),
                    Target.time(1, 1.15, UNSEEN).by(VIEWED),
                    Target.time(2, 1.15, UNSEEN).by(VIEWED),
                    Target.bytes(1, 0).by(VIEWED),
                    Target.bytes(2, 0).by(VIEWED)));

    private static final Row LIMITED = new Row(
            "the same with time limit and retry",
            "limited",
            List.of(
                    floor(BY_HAND + ", without these two", CallBenchmark.ByHand.class),
                    peer(RESILIENCE4J, CallBenchmark.Resilience4j.class),
                    peer(FAILSAFE, CallBenchmark.Failsafe.class),
                    peer(SMALLRYE, CallBenchmark.SmallRye.class),
                    tidegate(GUARD, CallBenchmark.Guarded.class),
                    tidegate("Guard.standard", StandardGuard.class)),
            List.of(Target.bytes(1, 150), Target.bytes(2, 150)));

    private static final Row DONE = submission("submit, operation already done", "done");
    private static final Row PENDING = submission("submit, operation pending", "pending");

    private static final Row ADAPTIVE = new Row(
            "adaptive limit alone, permit taken and given back",
            "permit",
            List.of(
                    floor("compare-and-set loop", PermitBenchmark.CasLoop.class),
                    peer(CONCURRENCY_LIMITS + ", Gradient2", PermitBenchmark.Gradient2.class),
                    tidegate("Tidegate, gradient", PermitBenchmark.Adaptive.class)),
            List.of());

    /** The measurements of the guard. */
    public static final Part PART = new Part(
            "guard",
            "Guard",
            List.of(RESILIENCE4J, FAILSAFE, SMALLRYE, CONCURRENCY_LIMITS),
            List.of(PLAIN, SEEN, LIMITED, DONE, PENDING, ADAPTIVE),
            List.of(
                    "By hand is the least that takes a permit and reports to the breaker; unlike a guard it has "
                            + "no counts of its own.",
                    "By hand, asynchronous, is one part inside the other: a cancelled result keeps its permit.",
                    "resilience4j limits futures only: with a time limit the call runs on another thread, whose "
                            + "bytes count in its row.",
                    "SmallRye fixes the order: its time limit is inside the retry. That of the others is around "
                            + "it.",
                    "Seen from outside: Micrometer has scraped the guard and its parts once, so that they take "
                            + "times; they sample calls that are shorter than a microsecond, as these are. A console "
                            + "in the same process sends ten viewers a frame a second; its threads need the same "
                            + "cores. The flight recording runs with the library's defaults.",
                    "`Guard.standard` has two time limits, a budget and a breaker that reads the clock.",
                    "An adaptive limit reads the clock twice for each permit. The rate"
                            + " limiter alone has a section of its own."));

    private GuardPart() {}

    private static List<Target> plainTargets() {
        List<Target> targets = new ArrayList<>();
        for (int threads = 1; threads <= 2; threads++) {
            targets.add(Target.time(threads, 1.3, BY_HAND));
            targets.add(Target.bytes(threads, 0));
            for (String peer : List.of(RESILIENCE4J, FAILSAFE, SMALLRYE)) {
                targets.add(Target.time(threads, FIVE_TIMES_FASTER, peer));
            }
        }
        return targets;
    }

    private static Row submission(String work, String method) {
        return new Row(
                work,
                method,
                List.of(
                        floor(BY_HAND, SubmitBenchmark.ByHand.class),
                        peer(RESILIENCE4J, SubmitBenchmark.Resilience4j.class),
                        peer(FAILSAFE, SubmitBenchmark.Failsafe.class),
                        peer(SMALLRYE, SubmitBenchmark.SmallRye.class),
                        tidegate(GUARD, SubmitBenchmark.Guarded.class)),
                List.of());
    }
}

package io.tidegate.bench.rate;

import static io.tidegate.bench.Contestant.floor;
import static io.tidegate.bench.Contestant.peer;
import static io.tidegate.bench.Contestant.tidegate;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Part;
import io.tidegate.bench.Row;
import io.tidegate.bench.Target;
import java.util.List;

/** The rows of the rate limiter. */
public final class RatePart {
    private static final String FLOOR = "clock + compare-and-set";
    private static final String RESILIENCE4J = "resilience4j";
    private static final String FAILSAFE = "Failsafe";
    private static final String SMALLRYE = "SmallRye";
    private static final String GUAVA = "Guava";
    private static final String BUCKET4J = "Bucket4j";

    private static final Row ADMITTED = new Row(
            "a permit taken",
            "admitted",
            contestants(FLOOR),
            List.of(
                    Target.time(1, 1.3, FLOOR),
                    Target.bytes(1, 0),
                    Target.time(1, 1, RESILIENCE4J),
                    Target.time(1, 1, GUAVA),
                    Target.time(1, 1, BUCKET4J),
                    Target.time(2, 1.3, FLOOR),
                    Target.bytes(2, 0),
                    Target.time(2, 1, RESILIENCE4J),
                    Target.time(2, 1, GUAVA),
                    Target.time(2, 1, BUCKET4J)));

    private static final Row REFUSED = new Row(
            "a try refused",
            "refused",
            contestants("clock + volatile read"),
            List.of(Target.bytes(1, 0), Target.bytes(2, 0)));

    /** The measurements of the rate limiter. */
    public static final Part PART = new Part(
            "rate",
            "Rate limiter",
            List.of(RESILIENCE4J, FAILSAFE, SMALLRYE, GUAVA, BUCKET4J),
            List.of(ADMITTED, REFUSED),
            List.of(
                    "Where a permit is taken, the rate is 10⁹ a second, so that no try is refused; where a try is "
                            + "refused, the rate is one a day.",
                    "Tidegate counts what it admits and what it refuses. The floor counts nothing and has no burst.",
                    "SmallRye has no try: its row is a call through a guard with a rate limit only."));

    private RatePart() {}

    private static List<Contestant> contestants(String floor) {
        return List.of(
                floor(floor, TryBenchmark.ClockAndCas.class),
                peer(RESILIENCE4J, TryBenchmark.Resilience4j.class),
                peer(FAILSAFE, TryBenchmark.Failsafe.class),
                peer(SMALLRYE, TryBenchmark.SmallRye.class),
                peer(GUAVA, TryBenchmark.Guava.class),
                peer(BUCKET4J, TryBenchmark.Bucket4j.class),
                tidegate("Tidegate", TryBenchmark.Tidegate.class),
                tidegate("Tidegate, a fine rate", TryBenchmark.TidegateFine.class));
    }
}

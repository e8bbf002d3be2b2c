package io.tidegate.bench.lease;

import static io.tidegate.bench.Contestant.floor;
import static io.tidegate.bench.Contestant.reference;
import static io.tidegate.bench.Contestant.tidegate;

import io.tidegate.bench.Footprint;
import io.tidegate.bench.Part;
import io.tidegate.bench.Row;
import io.tidegate.bench.Target;
import io.tidegate.lease.TidegateTokens;
import java.util.List;

/** The rows of the work lease. */
public final class LeasePart {
    private static final String MAP_GET = "map get";
    private static final String MAP_COMPUTE = "map compute, twice";
    private static final String HASH_SETS = "synchronized + HashSet";
    private static final String TIDEGATE = "Tidegate";

    private static final Row SHARED_DOMAIN = new Row(
            "acquire + succeed, one domain",
            "sharedDomain",
            List.of(
                    floor(MAP_GET, CycleBenchmark.MapGet.class),
                    reference(MAP_COMPUTE, CycleBenchmark.Compute.class),
                    reference(HASH_SETS, CycleBenchmark.HashSets.class),
                    tidegate(TIDEGATE, CycleBenchmark.Tidegate.class)),
            List.of(Target.nanos(1, 95), Target.bytes(1, 200)));

    private static final Row OWN_DOMAINS = new Row(
                    "the same, each thread its domain",
                    "ownDomain",
                    List.of(
                            floor(MAP_GET, CycleBenchmark.MapGet.class),
                            tidegate(TIDEGATE, CycleBenchmark.Tidegate.class)),
                    List.of(Target.nanos(2, 95)))
            .on(2);

    private static final Row MANY_DOMAINS = new Row(
                    "the same, a million domains",
                    "anyDomain",
                    List.of(
                            floor(MAP_GET, ManyDomainsBenchmark.MapGets.class),
                            reference("map get, waited for", ManyDomainsBenchmark.MapGet.class),
                            reference(MAP_COMPUTE, ManyDomainsBenchmark.Compute.class),
                            reference(HASH_SETS, ManyDomainsBenchmark.HashSets.class),
                            tidegate(TIDEGATE, ManyDomainsBenchmark.Tidegate.class)),
                    List.of(Target.time(1, 3, MAP_GET)))
            .on(1);

    private static final Row ENQUEUE = new Row(
                    "enqueue, backlog of up to a million",
                    "enqueue",
                    List.of(
                            floor("growing array", BacklogBenchmark.GrowingArray.class),
                            reference(HASH_SETS, BacklogBenchmark.HashSets.class),
                            tidegate(TIDEGATE, BacklogBenchmark.Tidegate.class)),
                    List.of(Target.time(1, 1, HASH_SETS)))
            .on(1);

    private static final Row TOKEN = new Row(
                    "token alone",
                    "token",
                    List.of(
                            floor("fence as text", TokenBenchmark.FenceAsText.class),
                            reference("random UUID", TokenBenchmark.RandomUuid.class),
                            tidegate(TIDEGATE, TidegateTokens.class)),
                    List.of(Target.nanos(1, 60)))
            .on(1);

    /** The measurements of the work lease. */
    public static final Part PART = new Part(
            "lease",
            "Work lease",
            List.of(),
            List.of(SHARED_DOMAIN, OWN_DOMAINS, MANY_DOMAINS, ENQUEUE, TOKEN),
            List.of(
                    "The limit of a cycle is 35 ns, and 60 ns more for its token. A cycle of Tidegate reads the "
                            + "system's clock once; the others read no clock and make no tokens and no results.",
                    "Of two threads that share a domain, one often finds that the other has the lease: then it "
                            + "enqueues its offset, or gets an exception that names the offset whose turn it is.",
                    "A million domains are in a heap of 1 GB. The sets of `synchronized + HashSet` would fill it, "
                            + "so they are emptied now and then.",
                    "With a million domains nearly all time is waiting for memory. A processor overlaps the waits "
                            + "of look-ups that do not need each other's results; in the second line each look-up "
                            + "needs the result of the one before.",
                    "Memory is all objects that can be reached, as the JVM lays them out, for each of 100,000 domains"
                            + " or a million offsets. The ids of the domains are not counted."),
            false,
            List.of(Footprint.experiment(Footprints.all())));

    private LeasePart() {}
}

package io.tidegate.bench.engines;

import io.tidegate.bench.Part;
import java.util.List;

/** The cluster bulkhead: how many claims an engine serves. */
public final class CapPart {
    /** The measurements of shared caps on engines. */
    public static final Part PART = new Part(
            "cap",
            "Cluster bulkhead on engines",
            List.of("pgjdbc", "HikariCP", "Lettuce"),
            List.of(),
            List.of(
                    ("All members claim from one cap, which has ten permits for each of them, with leases of %d s. "
                                    + "Each member needs %d to %d permits, another number each time.")
                            .formatted(ClaimsWay.LEASE.toSeconds(), ClaimsWay.LEAST_NEED, ClaimsWay.MOST_NEED),
                    "`w1`, `w4` and `w16` are the numbers of workers, which claim for the members in turn; `±` is "
                            + "the distance of the farthest round from the median.",
                    "The floor is the first line: all workers write one row, in a transaction each, or one field, "
                            + "on the same server with the same durability.",
                    ("%,d members ask for up to %,d claims/s in a phase of `./tidegate scale cap`; an engine should"
                                    + " have twice that to spare.")
                            .formatted(Claims.MANY_MEMBERS, Claims.NEEDED)),
            false,
            List.of(
                    new Claims("PostgreSQL", Database::postgres),
                    new Claims("Redis, forced to the disk every second", () -> new Redis("everysec"))));

    private CapPart() {}
}

package io.tidegate.bench.engines;

import io.tidegate.bench.Part;
import java.util.List;

/** The cluster bulkhead: how many claims an engine serves. */
public final class CapPart {
    /** What is measured of the engines. */
    public static final Part PART = new Part(
            "cap",
            "Cluster bulkhead on engines",
            List.of("pgjdbc", "HikariCP", "Lettuce"),
            List.of(),
            List.of(
                    ("All members claim from one cap of ten permits for each, with leases of %d s; each needs %d to %d"
                                    + " of them, another number each time.")
                            .formatted(ClaimsWay.LEASE.toSeconds(), ClaimsWay.LEAST_NEED, ClaimsWay.MOST_NEED),
                    "`w1`, `w4` and `w16` are the numbers of workers, which claim for the members in turn; `±` is how"
                            + " far the farthest round is from the median.",
                    "The floor is the first line: one row that all write, in a transaction each, or one field, on the"
                            + " same server with the same durability.",
                    ("%,d members ask for up to %,d claims/s in a phase of `./tidegate scale cap`; an engine should"
                                    + " have twice that to spare.")
                            .formatted(Claims.MANY_MEMBERS, Claims.NEEDED)),
            false,
            List.of(
                    new Claims("PostgreSQL", Database::postgres),
                    new Claims("Redis, forced to the disk every second", () -> new Redis("everysec"))));

    private CapPart() {}
}

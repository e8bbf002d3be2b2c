package io.tidegate.bench.engines;

import io.tidegate.bench.Part;
import java.util.List;

/** The work lease across processes, engine by engine. */
public final class EnginesPart {
    static final List<Throughput> ENGINES = List.of(
            new Throughput("PostgreSQL", Database::postgres),
            new Throughput("MariaDB", Database::mariaDb),
            new Throughput("H2", Database::h2),
            new Throughput("Redis, forced to the disk before each answer", () -> new Redis("always")),
            new Throughput("Redis, forced to the disk every second", () -> new Redis("everysec")));

    /** The measurements of the work lease on engines. */
    public static final Part PART = new Part(
            "engines",
            "Work lease on engines",
            List.of("pgjdbc", "mariadb-java-client", "HikariCP", "Lettuce", "db-scheduler", "ShedLock", "Redisson"),
            List.of(),
            List.of(
                    "A cycle is an offset that is acquired and succeeds. `w1`, `w4` and `w16` are the numbers of "
                            + "workers, each a thread and a separate owner; `±` is the distance of the farthest round "
                            + "from the median.",
                    ("With %d domains a worker has domains to itself and goes from one to the next. With 1 domain "
                                    + "all workers want the same one; a worker that has to ask again does so after %d "
                                    + "ms. With many domains, which were all made before, workers ask for them at "
                                    + "random.")
                            .formatted(Throughput.DOMAINS, Pauses.BETWEEN_TRIES.toMillis()),
                    "`gaps` is every second offset. `next taken` enqueues 50 offsets at once, or a single one "
                            + "with 1 domain, and ends each of them together with taking the next one.",
                    "The floor is the first line: two writes of one row, in two transactions, on the same server with"
                            + " the same durability.",
                    "The others do what is most similar: db-scheduler picks a task that is due and reschedules "
                            + "it, on PostgreSQL up to four tasks for each worker at once; ShedLock and Redisson lock "
                            + "and unlock. None of them keeps an order, a backlog, retries or the processed offsets.",
                    "A relay between one worker and the server counts the round trips of a cycle, in any "
                            + "protocol. H2 is inside the process, and has none.",
                    ("A pool of %d connections, all open, for every contestant on a database, and for Redisson."
                                    + " Tidegate and the floor on Redis share one connection, as Lettuce's users do.")
                            .formatted(Database.POOL_SIZE)),
            false,
            List.copyOf(ENGINES));

    private EnginesPart() {}
}

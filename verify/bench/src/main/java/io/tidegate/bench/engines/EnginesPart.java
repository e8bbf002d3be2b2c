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

    /** What is measured of the engines. */
    public static final Part PART = new Part(
            "engines",
            "Work lease on engines",
            List.of("pgjdbc", "mariadb-java-client", "HikariCP", "Lettuce", "db-scheduler", "ShedLock", "Redisson"),
            List.of(),
            List.of(
                    "A cycle is an offset that is acquired and succeeds. `w1`, `w4` and `w16` are the numbers of"
                            + " workers, each a thread and an owner of its own; `±` is how far the farthest round is"
                            + " from the median.",
                    ("With %d domains a worker has domains to itself and goes from one to the next. With 1 they all"
                                    + " want the same; who has to ask again does so after %d ms. With many they are"
                                    + " asked for at random, and were made at once before.")
                            .formatted(Throughput.DOMAINS, Pauses.BETWEEN_TRIES.toMillis()),
                    "`gaps` is every second offset. `next taken` puts offsets in line, 50 at once, or one with 1"
                            + " domain, and ends each of them together with taking the next one.",
                    "The floor is the first line: two writes of one row, in two transactions, on the same server with"
                            + " the same durability.",
                    "The nearest equal of the others: db-scheduler picks a task that is due and reschedules it, with"
                            + " up to four tasks for each worker picked at once on PostgreSQL; ShedLock and Redisson"
                            + " lock and unlock. None of them keeps an order, a backlog, retries or what was"
                            + " processed.",
                    "Round trips of a cycle are counted by a relay between one worker and the server, whatever they"
                            + " say to each other. H2 is inside the process, and has none.",
                    ("A pool of %d connections, all open, for every contestant on a database, and for Redisson."
                                    + " Tidegate and the floor on Redis share one connection, as Lettuce's users do.")
                            .formatted(Database.POOL_SIZE)),
            false,
            List.copyOf(ENGINES));

    private EnginesPart() {}
}

package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Runs of a shared cap on one engine. No more operations may be in flight under leases than the cap, and in the end all
 * of the cap must be used.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CapRuns {
    private static final int MOST_SEEDS_WITH_TWINS = 200;
    private static final int PROGRESS_EVERY = 20;

    private final Engine engine;
    private CapLane lane;

    CapRuns(Engine engine) {
        this.engine = engine;
    }

    @BeforeAll
    void start() throws IOException {
        Path records = Files.createDirectories(Path.of("target", "runs").toAbsolutePath());
        Path jar = Files.createTempFile(records, "worker", ".jar");
        jar.toFile().deleteOnExit();
        WorkerJar.write(jar);
        lane = new CapLane(engine, jar, Files.createTempDirectory(records, "CAP_" + engine.name()));
    }

    @AfterAll
    void stop() throws IOException {
        lane.close();
    }

    /** A fifth as many seeds as for leases. */
    private static List<Long> seeds() {
        String one = System.getProperty("seed", "");
        return one.isEmpty()
                ? LongStream.rangeClosed(1, Math.ceilDiv(Long.getLong("seeds", EngineRuns.DEFAULT_SEEDS), 5))
                        .boxed()
                        .toList()
                : List.of(Long.valueOf(one));
    }

    @Test
    void run_eachSeed_nothingIsWrong() {
        List<Long> seeds = seeds();
        for (int i = 1; i <= seeds.size(); i++) {
            assertThat(breach(seeds.get(i - 1), CapTwin.NONE)).isEmpty();
            if (i % PROGRESS_EVERY == 0) {
                System.out.println("cap on " + engine + ": " + i + " runs");
            }
        }
    }

    /** Whether the run of some seed catches the broken store. */
    boolean isCaught(CapTwin twin) {
        Optional<String> breach = Optional.empty();
        for (long seed = 1; seed <= MOST_SEEDS_WITH_TWINS && breach.isEmpty(); seed++) {
            breach = breach(seed, twin);
        }
        return breach.isPresent();
    }

    private Optional<String> breach(long seed, CapTwin twin) {
        try {
            return lane.run(seed, twin)
                    .map(breach -> "seed " + seed + " on " + engine + ": " + breach
                            + "; again: mvn -f verify/cluster/pom.xml verify -Dseed=" + seed);
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException("seed " + seed, failed);
        }
    }
}

package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of one engine: ours must pass every check, and each broken one must fail. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EngineRuns {
    static final int DEFAULT_SEEDS = 10;

    private static final int MOST_SEEDS_WITH_TWINS = 200;

    /** With this many seeds each kind of fault and answer must occur, or the runs show too little. */
    private static final int ENOUGH_SEEDS = 20;

    private static final Path RECORDS = Path.of("target", "runs").toAbsolutePath();
    private static final Path VERDICTS = RECORDS.resolve("verdicts");

    private final Engine engine;
    private final List<Lane> lanes = new ArrayList<>();

    EngineRuns(Engine engine) {
        this.engine = engine;
    }

    @BeforeAll
    void start() throws IOException {
        Files.createDirectories(RECORDS);
        Path jar = Files.createTempFile(RECORDS, "worker", ".jar");
        jar.toFile().deleteOnExit();
        WorkerJar.write(jar);
        for (int i = 0; i < Integer.getInteger("lanes", 1); i++) {
            lanes.add(new Lane(engine, jar, Files.createTempDirectory(RECORDS, engine.name())));
        }
    }

    @AfterAll
    void stop() throws IOException {
        for (Lane lane : lanes) {
            lane.close();
        }
    }

    /** Returns seeds that no other engine has. */
    private List<Long> seeds() {
        String one = System.getProperty("seed", "");
        return one.isEmpty() ? engine.seeds(Long.getLong("seeds", DEFAULT_SEEDS)) : List.of(Long.valueOf(one));
    }

    /** A long run reports a breach at once. */
    @Test
    void run_eachSeed_nothingIsWrong() throws InterruptedException {
        List<Long> all = seeds();
        Queue<Long> seeds = new ConcurrentLinkedQueue<>(all);
        Queue<String> breaches = new ConcurrentLinkedQueue<>();
        Queue<Verdict.Facts> facts = new ConcurrentLinkedQueue<>();
        Queue<Verdict.Extras> extras = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (Lane lane : lanes) {
            threads.add(Thread.ofVirtual().start(() -> {
                for (Long seed = seeds.poll(); seed != null; seed = seeds.poll()) {
                    Verdict verdict = verdict(lane, seed, Twin.NONE);
                    facts.add(verdict.facts());
                    extras.add(verdict.extras());
                    verdict.breach().ifPresent(breach -> {
                        breaches.add(breach);
                        System.out.println(breach);
                    });
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(breaches).isEmpty();
        assertThat(facts).hasSameSizeAs(all);
        if (all.size() >= ENOUGH_SEEDS) {
            assertThat(facts).anyMatch(run -> run.takeOvers() > 0);
            assertThat(facts).anyMatch(run -> run.unanswered() > 0);
            assertThat(facts).anyMatch(run -> run.refusedWrites() > 0);
            assertThat(extras).anyMatch(run -> run.forgotten() > 0);
            assertThat(extras).anyMatch(run -> run.replayed() > 0);
            assertThat(extras).anyMatch(run -> run.sideLeases() > 0);
            assertThat(extras.stream().anyMatch(run -> run.booked() > 0)).isEqualTo(engine != Engine.REDIS);
        }
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void run_brokenEngine_isCaught(Twin twin) {
        Optional<String> breach = Optional.empty();
        for (long seed = 1; seed <= MOST_SEEDS_WITH_TWINS && breach.isEmpty(); seed++) {
            breach = verdict(lanes.get(0), seed, twin).breach();
        }
        assertThat(breach).get().asString().containsPattern(twin.sign());
    }

    private Verdict verdict(Lane lane, long seed, Twin twin) {
        long begin = System.nanoTime();
        try {
            Verdict verdict = lane.run(seed, twin);
            record(
                    seed,
                    twin,
                    verdict.breach().isEmpty() ? "clean" : "BREACH",
                    begin,
                    verdict.facts() + " " + verdict.extras());
            String again = "; again: mvn -f verify/cluster/pom.xml verify -Dtest="
                    + getClass().getSimpleName() + " -Dseed=" + seed;
            return new Verdict(
                    verdict.breach().map(breach -> "seed " + seed + " on " + engine + ": " + breach + again),
                    verdict.facts(),
                    verdict.extras());
        } catch (IOException | InterruptedException | RuntimeException failed) {
            record(seed, twin, "FAILED", begin, failed);
            throw new IllegalStateException("seed " + seed, failed);
        }
    }

    /** Writes a line for each run, which shows the progress of a long test, and afterwards what happened in it. */
    private void record(long seed, Twin twin, String verdict, long beginNanos, Object more) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
        String line =
                String.join(" ", engine.name(), twin.name(), "seed " + seed, verdict, millis + " ms", more.toString());
        try {
            Files.writeString(VERDICTS, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

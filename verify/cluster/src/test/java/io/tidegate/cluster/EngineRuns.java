package io.tidegate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of one engine: nothing may be wrong with ours, and something must be with each broken one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EngineRuns {
    private static final int MOST_SEEDS_WITH_TWINS = 10;
    private static final int PROGRESS_EVERY = 20;

    private final Engine engine;
    private final List<Lane> lanes = new ArrayList<>();

    EngineRuns(Engine engine) {
        this.engine = engine;
    }

    @BeforeAll
    void start() throws IOException {
        Path records = Files.createDirectories(Path.of("target", "runs").toAbsolutePath());
        Path jar = Files.createTempFile(records, "worker", ".jar");
        jar.toFile().deleteOnExit();
        WorkerJar.write(jar);
        for (int i = 0; i < Integer.getInteger("lanes", 1); i++) {
            lanes.add(new Lane(engine, jar, Files.createTempDirectory(records, engine.name())));
        }
    }

    @AfterAll
    void stop() throws IOException {
        for (Lane lane : lanes) {
            lane.close();
        }
    }

    private static List<Long> seeds() {
        String one = System.getProperty("seed", "");
        return one.isEmpty()
                ? LongStream.rangeClosed(1, Long.getLong("seeds", 4)).boxed().toList()
                : List.of(Long.valueOf(one));
    }

    /** A long run tells how far it is, and of a breach at once. */
    @Test
    void run_eachSeed_nothingIsWrong() throws InterruptedException {
        List<Long> all = seeds();
        Queue<Long> seeds = new ConcurrentLinkedQueue<>(all);
        Queue<String> breaches = new ConcurrentLinkedQueue<>();
        AtomicInteger runs = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (Lane lane : lanes) {
            threads.add(Thread.ofVirtual().start(() -> {
                for (Long seed = seeds.poll(); seed != null; seed = seeds.poll()) {
                    breach(lane, seed, Twin.NONE).ifPresent(breach -> {
                        breaches.add(breach);
                        System.out.println(breach);
                    });
                    if (runs.incrementAndGet() % PROGRESS_EVERY == 0) {
                        System.out.println(engine + ": " + runs + " runs, " + breaches.size() + " with breaches");
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(breaches).isEmpty();
        assertThat(runs).hasValue(all.size());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void run_brokenEngine_isCaught(Twin twin) {
        Optional<String> breach = Optional.empty();
        for (long seed = 1; seed <= MOST_SEEDS_WITH_TWINS && breach.isEmpty(); seed++) {
            breach = breach(lanes.get(0), seed, twin);
        }
        assertThat(breach).isPresent();
    }

    private Optional<String> breach(Lane lane, long seed, Twin twin) {
        try {
            return lane.run(seed, twin)
                    .map(breach -> "seed " + seed + " on " + engine + ": " + breach
                            + "; again: mvn -f verify/cluster/pom.xml verify -Dseed=" + seed);
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException("seed " + seed, failed);
        }
    }
}

package io.tidegate.bench.engines;

import io.tidegate.bench.engines.Engine.Contest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Counts on the wire how often a cycle waits for the engine. */
final class RoundTrips {
    private static final Load LOAD = new Load(1, 50);

    private RoundTrips() {}

    /**
     * Returns the round trips of a cycle of each way, or {@link Double#NaN} on an engine that has no wire.
     *
     * @param cycles the least number of counted cycles; as many run before, so that statements are prepared and domains
     *     are known
     */
    static List<Double> of(Engine engine, int cycles) {
        if (engine.port().isEmpty()) {
            try (Contest contest = engine.connect(0)) {
                return Collections.nCopies(contest.ways().size(), Double.NaN);
            }
        }
        List<Double> counted = new ArrayList<>();
        try (WireRelay relay = new WireRelay(engine.port().getAsInt());
                Contest contest = engine.connect(relay.port())) {
            for (Way way : contest.ways()) {
                run(way, cycles);
                long before = relay.roundTrips();
                relay.seemFar(true);
                long done = run(way, cycles);
                relay.seemFar(false);
                counted.add((double) (relay.roundTrips() - before) / done);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return counted;
    }

    private static long run(Way way, int cycles) {
        Running running = way.start(LOAD);
        try (running) {
            while (running.cycles() < cycles) {
                Pauses.untilNextTry();
            }
        }
        return running.cycles();
    }
}

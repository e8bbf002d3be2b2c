package io.tidegate.bench.engines;

import static java.util.Objects.requireNonNull;

import io.tidegate.bench.Experiment;
import io.tidegate.bench.MarkdownTable;
import io.tidegate.bench.Numbers;
import io.tidegate.bench.engines.Engine.Contest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** How many claims of a shared cap an engine serves in a second, for each number of members. */
final class Claims implements Experiment {
    static final int MANY_MEMBERS = 1_000;
    static final List<Integer> MEMBERS = List.of(10, 100, MANY_MEMBERS);

    /** How many claims many members make in a second, in the phase with the most claims. */
    static final int NEEDED = 1_000;

    private static final List<Integer> WORKERS = List.of(1, 4, 16);
    private static final Duration UNTIL_MEASURED = Duration.ofMillis(200);

    private record Case(Way way, int workers) {}

    private final String title;
    private final Supplier<Engine> starting;

    Claims(String title, Supplier<Engine> starting) {
        this.title = title;
        this.starting = starting;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String run(boolean quick) {
        int rounds = quick ? 3 : 7;
        Duration measured = quick ? Duration.ofMillis(500) : Duration.ofSeconds(2);
        try (Engine engine = starting.get();
                Contest contest = engine.connectToClaim(MEMBERS)) {
            List<Way> ways = contest.ways();
            Map<Case, Rate> rates = measure(ways, rounds, measured);
            return "%s: %s. Median of %d rounds of %d ms.\n\n%s\n%s"
                    .formatted(
                            engine.name(),
                            engine.durability(),
                            rounds,
                            measured.toMillis(),
                            table(ways, rates),
                            verdict(ways, rates));
        }
    }

    /** Measures every case once in each round, and once before, to warm up. */
    private static Map<Case, Rate> measure(List<Way> ways, int rounds, Duration measured) {
        Map<Case, List<Double>> all = new HashMap<>();
        for (int round = 0; round <= rounds; round++) {
            for (int workers : WORKERS) {
                for (Way way : ways) {
                    double rate = rate(way, workers, measured);
                    if (round > 0) {
                        all.computeIfAbsent(new Case(way, workers), any -> new ArrayList<>())
                                .add(rate);
                    }
                }
            }
        }
        Map<Case, Rate> rates = new HashMap<>();
        all.forEach((one, several) -> rates.put(one, Rate.of(several)));
        return rates;
    }

    private static double rate(Way way, int workers, Duration measured) {
        int members = way instanceof ClaimsWay claims ? claims.members() : 1;
        try (Running running = way.start(new Load(Math.min(workers, members), members))) {
            park(UNTIL_MEASURED);
            long before = running.cycles();
            long start = System.nanoTime();
            park(measured);
            return (running.cycles() - before) * 1e9 / (System.nanoTime() - start);
        }
    }

    private static void park(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static MarkdownTable table(List<Way> ways, Map<Case, Rate> rates) {
        List<String> header = new ArrayList<>(List.of("by"));
        WORKERS.forEach(workers -> header.addAll(List.of("w" + workers + " claims/s", "× floor")));
        MarkdownTable table = new MarkdownTable(header);
        for (Way way : ways) {
            List<String> line = new ArrayList<>(List.of(way.label()));
            for (int workers : WORKERS) {
                Rate rate = rate(rates, way, workers);
                double floor = rate(rates, ways.get(0), workers).median();
                line.addAll(List.of(rate.toString(), Numbers.show(rate.median() / floor)));
            }
            table.add(line);
        }
        return table;
    }

    private static MarkdownTable verdict(List<Way> ways, Map<Case, Rate> rates) {
        Way many = ways.get(ways.size() - 1);
        MarkdownTable table = new MarkdownTable(List.of("target for", "workers", "limit", "reached", "verdict"));
        for (int workers : WORKERS.subList(1, WORKERS.size())) {
            double reached = rate(rates, many, workers).median();
            table.add(List.of(
                    many.label(),
                    Integer.toString(workers),
                    "≥ 2 × " + NEEDED + " claims/s",
                    Numbers.show(reached),
                    reached >= 2 * NEEDED ? "met" : "MISSED"));
        }
        return table;
    }

    private static Rate rate(Map<Case, Rate> rates, Way way, int workers) {
        return requireNonNull(rates.get(new Case(way, workers)));
    }
}

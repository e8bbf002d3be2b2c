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

/** How many cycles an engine does in a second, and in how many round trips. */
final class Throughput implements Experiment {
    static final int DOMAINS = 1_000;
    static final int MANY_DOMAINS = 1_000_000;
    static final int MOST_WORKERS = 16;
    static final List<Integer> WORKERS = List.of(1, 4, MOST_WORKERS);

    private static final int COUNTED = 100;

    /** For each size of a batch, how many times the floor's rate Tidegate must reach. */
    private static final Map<Integer, Double> AIMS = Map.of(1, 0.8, 50, 4.0);

    /**
     * How long to measure. Every case is measured once in each round, so that the cases are spread over the same
     * stretch of time. One more round comes first, to warm up.
     */
    private record Effort(int rounds, Duration untilMeasured, Duration measured, int manyDomains) {
        static Effort of(boolean quick) {
            return quick
                    ? new Effort(3, Duration.ofMillis(100), Duration.ofMillis(300), MANY_DOMAINS / 10)
                    : new Effort(5, Duration.ofMillis(300), Duration.ofSeconds(1), MANY_DOMAINS);
        }

        List<Integer> domains() {
            return List.of(DOMAINS, 1, manyDomains);
        }
    }

    private record Case(Way way, Load load) {}

    private final String title;
    private final Supplier<Engine> starting;

    Throughput(String title, Supplier<Engine> starting) {
        this.title = title;
        this.starting = starting;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String run(boolean quick) {
        Effort effort = Effort.of(quick);
        try (Engine engine = starting.get()) {
            List<Double> roundTrips = RoundTrips.of(engine, COUNTED);
            try (Contest contest = engine.connect(engine.port().orElse(0))) {
                List<Way> ways = contest.ways();
                Map<Case, Rate> rates = new HashMap<>(measure(ways, List.of(DOMAINS, 1), effort));
                contest.load(effort.manyDomains);
                rates.putAll(measure(ways, List.of(effort.manyDomains), effort));
                Results results = new Results(ways, effort.domains(), rates);
                return "%s: %s. Median of %d rounds of %d ms.\n\n%s\n%s"
                        .formatted(
                                engine.name(),
                                engine.durability(),
                                effort.rounds,
                                effort.measured.toMillis(),
                                results.table(roundTrips),
                                results.verdicts());
            }
        }
    }

    private static Map<Case, Rate> measure(List<Way> ways, List<Integer> domains, Effort effort) {
        Map<Case, List<Double>> measured = new HashMap<>();
        for (int round = 0; round <= effort.rounds; round++) {
            for (Case next : cases(ways, domains)) {
                double rate = rate(next, effort);
                if (round > 0) {
                    measured.computeIfAbsent(next, any -> new ArrayList<>()).add(rate);
                }
            }
        }
        Map<Case, Rate> rates = new HashMap<>();
        measured.forEach((one, rounds) -> rates.put(one, Rate.of(rounds)));
        return rates;
    }

    private static List<Case> cases(List<Way> ways, List<Integer> domains) {
        List<Case> cases = new ArrayList<>();
        for (int some : domains) {
            for (int workers : WORKERS) {
                waysOn(some, ways).forEach(way -> cases.add(new Case(way, new Load(workers, some))));
            }
        }
        return cases;
    }

    private static List<Way> waysOn(int domains, List<Way> ways) {
        return ways.stream().filter(way -> way.fits(domains)).toList();
    }

    private static double rate(Case next, Effort effort) {
        try (Running running = next.way.start(next.load)) {
            park(effort.untilMeasured);
            long cyclesBefore = running.cycles();
            long start = System.nanoTime();
            park(effort.measured);
            long cycles = running.cycles() - cyclesBefore;
            return cycles * 1e9 / (System.nanoTime() - start);
        }
    }

    private static void park(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private record Results(List<Way> ways, List<Integer> domains, Map<Case, Rate> rates) {
        MarkdownTable table(List<Double> roundTrips) {
            List<String> header = new ArrayList<>(List.of("domains", "by", "batch", "round trips"));
            WORKERS.forEach(workers -> header.addAll(List.of("w" + workers + " cycles/s", "× floor")));
            MarkdownTable table = new MarkdownTable(header);
            for (int some : domains) {
                for (Way way : waysOn(some, ways)) {
                    List<String> line = new ArrayList<>();
                    line.add(way.equals(ways.get(0)) ? Integer.toString(some) : "");
                    line.addAll(List.of(way.label(), Integer.toString(way.batch())));
                    line.add(some == DOMAINS ? Numbers.show(roundTrips.get(ways.indexOf(way))) : "");
                    for (int workers : WORKERS) {
                        Load load = new Load(workers, some);
                        line.addAll(List.of(rate(way, load).toString(), Numbers.show(timesFloor(way, load))));
                    }
                    table.add(line);
                }
            }
            return table;
        }

        MarkdownTable verdicts() {
            MarkdownTable table = new MarkdownTable(List.of("target for", "workers", "limit", "reached", "verdict"));
            for (Way way : ways) {
                Double aim = AIMS.get(way.batch());
                if (aim != null && way.label().equals(LeaseWay.Manner.EACH.toString())) {
                    WORKERS.forEach(workers -> table.add(verdict(way, workers, aim)));
                }
            }
            return table;
        }

        private List<String> verdict(Way way, int workers, double aim) {
            double reached = timesFloor(way, new Load(workers, DOMAINS));
            return List.of(
                    way.batch() == 1 ? "one by one" : "batches of " + way.batch(),
                    Integer.toString(workers),
                    "≥ " + Numbers.show(aim) + "× floor",
                    Numbers.show(reached) + "×",
                    reached >= aim ? "met" : "MISSED");
        }

        private double timesFloor(Way way, Load load) {
            return rate(way, load).median() / rate(ways.get(0), load).median();
        }

        private Rate rate(Way way, Load load) {
            return requireNonNull(rates.get(new Case(way, load)));
        }
    }
}

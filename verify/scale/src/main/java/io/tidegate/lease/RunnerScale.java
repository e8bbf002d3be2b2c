package io.tidegate.lease;

import io.tidegate.scale.Figures;
import io.tidegate.scale.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Many processes with runners on one engine: how many questions they ask, and how long abandoned work waits for another
 * process.
 */
public final class RunnerScale {
    private static final int HOT_ONE_IN = 10;
    private static final int HOT_DOMAINS_ONE_IN = 1_000;
    private static final int LONGEST_PHASE_SECONDS = 600;

    /**
     * The size of the simulation.
     *
     * @param threads of each process
     * @param seconds of a phase
     */
    public record Size(
            int processes,
            int domains,
            int offersPerSecond,
            int threads,
            Duration attempt,
            Duration slowAttempt,
            Duration lease,
            Duration sweepEvery,
            Duration roundTrip,
            int seconds) {
        public static final Size FULL = new Size(
                200,
                1_000_000,
                20_000,
                16,
                Duration.ofMillis(50),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofMillis(2),
                20);

        /** The same with a tenth of the processes. */
        public static final Size QUICK = FULL.with(20, 20_000, 2_000);

        /** Returns the same size with these numbers. */
        public Size with(int someProcesses, int someDomains, int someOffers) {
            return new Size(
                    someProcesses,
                    someDomains,
                    someOffers,
                    threads,
                    attempt,
                    slowAttempt,
                    lease,
                    sweepEvery,
                    roundTrip,
                    seconds);
        }

        @Override
        public String toString() {
            return String.format(
                    java.util.Locale.ROOT,
                    "%,d processes of %d threads, %,d domains, %,d offers/s, attempts of %d ms, leases of %d s,"
                            + " sweepEvery %d s, round trips of %d ms",
                    processes,
                    threads,
                    domains,
                    offersPerSecond,
                    attempt.toMillis(),
                    lease.toSeconds(),
                    sweepEvery.toSeconds(),
                    roundTrip.toMillis());
        }
    }

    private final Size size;
    private final SplittableRandom random;
    private final Consumer<String> progress;
    private final VirtualTime time = new VirtualTime();
    private final SimulatedEngine engine;
    private final List<SimulatedRunner> processes = new ArrayList<>();
    private final Figures figures = new Figures();
    private Duration attempt;
    private boolean offering;
    private long lastRoundTrips;

    public RunnerScale(Size size, long seed, Consumer<String> progress) {
        this.size = size;
        this.random = new SplittableRandom(seed);
        this.progress = progress;
        this.attempt = size.attempt();
        this.engine = new SimulatedEngine(size.domains(), size.lease(), time::millis);
    }

    /** Runs all phases. */
    public Figures run() {
        for (int i = 0; i < size.processes(); i++) {
            processes.add(start());
        }
        offering = true;
        offerOn();
        phase("steady", size.seconds());
        attempt = size.slowAttempt();
        phase("attempts of " + size.slowAttempt().toSeconds() + " s", size.seconds());
        attempt = size.attempt();
        phase("fast again", size.seconds());
        killSome(size.processes() / 3);
        phase("a third dies", size.seconds() + (int) size.lease().toSeconds());
        while (processes.size() < size.processes()) {
            processes.add(start());
        }
        long pause = TimeUnit.SECONDS.toMillis(size.seconds()) / size.processes();
        for (int i = 0; i < size.processes(); i++) {
            int which = i;
            time.afterMillis(i * pause, () -> replace(which));
        }
        phase("deploy", size.seconds());
        offering = false;
        phase("rest", () -> engine.accepted() == engine.done());
        for (int domain = 0; domain < size.domains(); domain++) {
            engine.leaveBehind(domain);
        }
        phase("work in every domain", () -> engine.leftBehind() == 0 && engine.accepted() == engine.done());
        return figures;
    }

    /** Returns how many acknowledged offsets were never done. */
    public long lost() {
        return engine.accepted() - engine.done();
    }

    /** Returns the round trips in the last phase. */
    public long lastRoundTrips() {
        return lastRoundTrips;
    }

    /** Returns how many domains have work and no owner. */
    public int leftBehind() {
        return engine.leftBehind();
    }

    /** Returns how many done offsets another process tried to end as well. */
    public long finishedByTwo() {
        return engine.refused;
    }

    private SimulatedRunner start() {
        return new SimulatedRunner(time, engine, size, () -> attempt, random.nextLong());
    }

    private void killSome(int some) {
        for (int i = 0; i < some; i++) {
            processes.remove(random.nextInt(processes.size())).kill();
        }
    }

    private void replace(int which) {
        processes.get(which).runner.stop();
        processes.set(which, start());
    }

    private void offerOn() {
        if (offering) {
            int hot = Math.max(1, size.domains() / HOT_DOMAINS_ONE_IN);
            int domain = random.nextInt(random.nextInt(HOT_ONE_IN) == 0 ? hot : size.domains());
            SimulatedRunner process = processes.get(random.nextInt(processes.size()));
            process.runner.offer(SimulatedEngine.domainName(domain), engine.nextOffset(domain));
        }
        time.after(TimeUnit.SECONDS.toNanos(1) / size.offersPerSecond(), this::offerOn);
    }

    private void phase(String name, int seconds) {
        long end = time.millis() + TimeUnit.SECONDS.toMillis(seconds);
        phase(name, () -> time.millis() >= end);
    }

    private void phase(String name, BooleanSupplier isOver) {
        long acquires = engine.acquires;
        long succeeds = engine.succeeds;
        long renewals = engine.renewals;
        long renewedLeases = engine.renewedLeases;
        long pages = engine.pages;
        long emptyPages = engine.emptyPages;
        long inspects = engine.inspects;
        long sweptUp = engine.sweptUp;
        long releases = engine.releases;
        long takenOver = engine.takenOver;
        long refused = engine.refused;
        long calls = engine.calls();
        engine.waits = new ArrayList<>();
        long most = 0;
        int mostHeld = 0;
        int seconds = 0;
        while (!isOver.getAsBoolean() && seconds < LONGEST_PHASE_SECONDS) {
            progress.accept("runner: " + name + ", second " + ++seconds);
            long before = engine.calls();
            time.passMillis(1_000);
            most = Math.max(most, engine.calls() - before);
            mostHeld = Math.max(
                    mostHeld,
                    processes.stream()
                            .mapToInt(process -> process.lease.held)
                            .max()
                            .orElse(0));
        }
        lastRoundTrips = engine.calls() - calls;
        figures.phase(name);
        figures.add("seconds", seconds);
        double s = Math.max(1, seconds);
        figures.add("tryAcquire/s", (engine.acquires - acquires) / s);
        figures.add("succeed/s", (engine.succeeds - succeeds) / s);
        figures.add("renew, renewAll/s", (engine.renewals - renewals) / s);
        figures.add("leases renewed/s", (engine.renewedLeases - renewedLeases) / s);
        figures.add("pending/s", (engine.pages - pages) / s);
        figures.add("of them empty", Figures.percent(engine.emptyPages - emptyPages, engine.pages - pages));
        figures.add("inspect/s", (engine.inspects - inspects) / s);
        long inVain = engine.inspects - inspects - (engine.sweptUp - sweptUp);
        figures.add("of them unneeded", Figures.percent(inVain, engine.inspects - inspects));
        figures.add("release/s", (engine.releases - releases) / s);
        figures.add("round trips/s", (engine.calls() - calls) / s);
        figures.add("peak", most);
        figures.add("leases of a process, peak", mostHeld);
        figures.add("abandoned, then taken up", engine.waits.size());
        figures.add(
                "after seconds: median / 99 % / longest",
                Figures.spread(
                        engine.waits.stream().mapToDouble(wait -> wait / 1e3).toArray()));
        figures.add("attempts repeated", engine.takenOver - takenOver);
        figures.add("outcomes of lost leases", engine.refused - refused);
        figures.add("open at the end", engine.accepted() - engine.done());
    }
}

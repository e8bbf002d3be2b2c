package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.LeaseHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One run of a seed: gives out the orders, lets faults happen at their time, and checks the result. */
final class Run {
    private static final String HISTORY = ".history";
    private static final long LEASE_MILLIS = 300;
    private static final long WAIT_MILLIS = 500;
    private static final long LOOK_MILLIS = 50;
    private static final Set<Integer> EXPECTED_EXITS =
            Set.of(WorkerProcess.KILLED_EXIT, Worker.DEADLY_EXIT, RunnerWorker.DEPLOYED_EXIT);
    /** How long to wait for a message of any worker: on a busy machine a process may take long to start. */
    private static final long PATIENCE_MILLIS = 300_000;
    /** With clocks an hour apart the run never comes to an end. Its first seconds must show the fault. */
    private static final long PATIENCE_WITH_CLOCKS_MILLIS = 5_000;

    private final Lane lane;
    private final long seed;
    private final Twin twin;
    private final String store;
    private final Path records;
    private final FencedResource resource;
    private long startNanos = System.nanoTime();
    private boolean begun;
    private final Set<Integer> ready = new HashSet<>();
    private final Set<Integer> done = new HashSet<>();
    private final List<String> crashes = new ArrayList<>();
    private final List<String> leftovers = new ArrayList<>();
    private List<Books.Entry> booked = List.of();

    Run(Lane lane, long seed, Twin twin, String store, Path records, FencedResource resource) {
        this.lane = lane;
        this.seed = seed;
        this.twin = twin;
        this.store = store;
        this.records = records;
        this.resource = resource;
    }

    Verdict verdict() throws IOException, InterruptedException {
        for (int slot = 0; slot < Lane.SLOTS; slot++) {
            lane.process(slot).order(order(lane.process(slot)));
        }
        boolean ended = play();
        if (!ended) {
            replaceAll();
        }
        if (twin != Twin.NONE && !crashes.isEmpty()) {
            throw new IllegalStateException(crashes.get(0)); // a crash is not what this run should show
        }
        Map<Load.Item, AcquireResult> ends = ended ? askForEnds() : Map.of();
        SideLeasesEvidence sideEvidence = new SideLeasesEvidence(Evidence.operations(lines(Order.SIDE)), LEASE_MILLIS);
        List<Books.Entry> reported =
                lines(Order.BOOKED).stream().map(Books.Entry::parse).toList();
        Evidence evidence = new Evidence(
                Load.of(seed), LeaseHistory.read(lines(HISTORY)), resource.writes(), LEASE_MILLIS, maxRetries());
        RunnerEvidence ofRunners = new RunnerEvidence(Load.of(seed), evidence.operations(), attempts(), LEASE_MILLIS);
        // one after the other: in a run with a crash, the check of the history may take long
        Optional<String> breach = Stream.<Supplier<Optional<String>>>of(
                        () -> crashes.stream().findFirst(),
                        evidence::breach,
                        () -> ofRunners.breach(befallen()),
                        () -> ofRunners.breachOfEnds(ends),
                        () -> leftovers.stream().findFirst(),
                        () -> ended ? sideEvidence.breach() : unfinished(),
                        () -> ended ? new BookedEvidence(reported, booked).breach(ends) : unfinished(),
                        () -> ended ? evidence.breachOfEnds(ends) : unfinished(),
                        () -> ended ? evidence.breachOfIdleness(Lane.SLOTS, leastAsked(), ends) : unfinished())
                .map(Supplier::get)
                .flatMap(Optional::stream)
                .findFirst();
        if (breach.isPresent()) {
            writeDown();
        }
        return new Verdict(
                breach.map(what -> what + ", as is written in " + records),
                evidence.facts(ends),
                new Verdict.Extras(
                        booked.size(), evidence.count("FORGOTTEN"), evidence.count("REPLAYED"), sideEvidence.leases()));
    }

    private void writeDown() throws IOException {
        Files.write(
                records.resolve("schedule"),
                schedule().stream().map(Fault::toString).toList());
        Files.write(
                records.resolve("load"),
                Load.of(seed).items().stream().map(Load.Item::toString).toList());
        Files.write(
                records.resolve("writes"),
                resource.writes().stream().map(FencedResource.Write::toString).toList());
    }

    private Optional<String> unfinished() {
        return twin == Twin.NONE ? Optional.of("the work did not come to an end") : Optional.empty();
    }

    private int maxRetries() {
        return 1 + (int) (seed & 1);
    }

    private boolean isByRunner() {
        return Order.isByRunner(seed, twin);
    }

    /**
     * Without a runner, each worker asks until it knows the end of all work; a runner may learn that from one answer.
     */
    private int leastAsked() {
        return isByRunner() ? 1 : Load.of(seed).items().size();
    }

    private List<Fault> schedule() {
        return Fault.schedule(seed, Lane.SLOTS, LEASE_MILLIS, isByRunner());
    }

    /** Returns the slots whose leases may be lost. */
    private Set<Integer> befallen() {
        Set<Integer> slots = new HashSet<>();
        for (Fault fault : schedule()) {
            switch (fault.kind()) {
                case DEPLOY -> {}
                case RESTART_SERVER -> slots.addAll(Set.of(0, 1, 2));
                default -> slots.add(fault.slot());
            }
        }
        return slots;
    }

    private Order order(WorkerProcess process) {
        return order(
                WorkerProcess.owner(process.slot(), Long.toString(process.pid())),
                lane.proxy(process.slot()).port(),
                WAIT_MILLIS);
    }

    private Order order(String owner, int port, long waitMillis) {
        return new Order(
                lane.engine(),
                port,
                store,
                owner,
                LEASE_MILLIS,
                maxRetries(),
                twin,
                seed,
                System.currentTimeMillis(),
                resource.port(),
                waitMillis,
                records.resolve(owner + HISTORY));
    }

    private List<String> lines(String kind) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files(kind)) {
            lines.addAll(lines(file));
        }
        return lines;
    }

    private List<AttemptLog> attempts() throws IOException {
        List<AttemptLog> logs = new ArrayList<>();
        for (Path file : files(Order.ATTEMPTS)) {
            logs.add(AttemptLog.read(file.getFileName().toString().replace(Order.ATTEMPTS, ""), lines(file)));
        }
        return logs;
    }

    private List<Path> files(String kind) throws IOException {
        try (Stream<Path> files = Files.list(records)) {
            return files.filter(path -> path.toString().endsWith(kind)).toList();
        }
    }

    /** Returns the lines of a file. A killed process may have left half a line. */
    private static List<String> lines(Path file) throws IOException {
        String text = Files.readString(file, UTF_8);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    // The run

    /** Plays the run. Returns whether all workers learned of the end of all work. */
    private boolean play() throws IOException, InterruptedException {
        if (!hearUntilAll(ready, PATIENCE_MILLIS)) {
            return false;
        }
        begun = true;
        startNanos = System.nanoTime();
        for (int slot = 0; slot < Lane.SLOTS; slot++) {
            lane.process(slot).begin(startNanos);
        }
        FaultInjector injector = new FaultInjector(lane, resource, records, schedule(), ready);
        while (!injector.areOver() && crashes.isEmpty() && elapsedMillis() < PATIENCE_MILLIS) {
            WorkerProcess.Event event = next(injector.dueMillis());
            if (event != null) {
                hear(event);
            } else {
                injector.step(elapsedMillis());
            }
        }
        if (!injector.areOver()) {
            crashes.add("these did not happen, or had no effect: " + injector);
        }
        for (int slot = 0; slot < Lane.SLOTS; slot++) {
            lane.proxy(slot).heal();
            lane.process(slot).signal("CONT");
        }
        if (isByRunner() && !endsByItself()) {
            return false;
        }
        Files.createFile(Order.end(records));
        long patience = twin == Twin.CLIENT_CLOCK ? PATIENCE_WITH_CLOCKS_MILLIS : PATIENCE_MILLIS;
        return hearUntilAll(done, patience);
    }

    /** Whether all offered work came to its end, before a long silence, and without a crash. */
    private boolean endsByItself() throws IOException, InterruptedException {
        Map<String, Long> open = new HashMap<>();
        Load.of(seed).items().forEach(item -> open.merge(item.domainId(), 1L, Long::sum));
        Map<String, DomainSnapshot> seen = new HashMap<>();
        try (Client client =
                lane.engine().connect(order("watcher", lane.server().port(), PATIENCE_MILLIS))) {
            long changedMillis = elapsedMillis();
            while (crashes.isEmpty() && elapsedMillis() - changedMillis < PATIENCE_MILLIS) {
                WorkerProcess.Event event = next(elapsedMillis() + LOOK_MILLIS);
                if (event != null) {
                    hear(event);
                    continue;
                }
                for (String domainId : open.keySet()) {
                    DomainSnapshot now = client.lease().inspect(domainId).orElse(null);
                    if (now != null && !now.equals(seen.put(domainId, now))) {
                        changedMillis = elapsedMillis();
                    }
                }
                if (open.entrySet().stream().allMatch(domain -> isOver(seen.get(domain.getKey()), domain.getValue()))) {
                    return true;
                }
            }
        }
        leftovers.add("something was left behind: " + seen.values());
        return false;
    }

    static boolean isOver(DomainSnapshot domain, long offsets) {
        return domain != null
                && domain.lease().isEmpty()
                && domain.backlog().isEmpty()
                && domain.processedCount() + domain.failedCount() == offsets;
    }

    /** Whether all workers joined these slots before a long silence, and without a crash. */
    private boolean hearUntilAll(Set<Integer> slots, long patienceMillis) throws IOException, InterruptedException {
        while (slots.size() < Lane.SLOTS && crashes.isEmpty()) {
            WorkerProcess.Event event = next(elapsedMillis() + patienceMillis);
            if (event == null) {
                return false;
            }
            hear(event);
        }
        return crashes.isEmpty();
    }

    private WorkerProcess.Event next(long untilMillis) throws InterruptedException {
        return lane.events().poll(untilMillis - elapsedMillis(), TimeUnit.MILLISECONDS);
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    private void hear(WorkerProcess.Event event) throws IOException {
        WorkerProcess process = event.process();
        if (process != lane.process(process.slot())) {
            return; // the process was replaced
        }
        switch (event.kind()) {
            case READY -> ready.add(process.slot());
            case DONE -> done.add(process.slot());
            case ENDED -> replace(process);
        }
    }

    private void replace(WorkerProcess process) throws IOException {
        if (!EXPECTED_EXITS.contains(process.exit())) {
            crashes.add("a worker ended with " + process.exit() + ": " + process.errors());
        }
        ready.remove(process.slot());
        done.remove(process.slot());
        WorkerProcess fresh = lane.replace(process);
        fresh.order(order(fresh));
        if (begun) {
            fresh.begin(startNanos);
        }
    }

    private void replaceAll() throws IOException {
        for (int slot = 0; slot < Lane.SLOTS; slot++) {
            lane.replace(lane.process(slot));
        }
    }

    // The checks

    /** Asks once more for every offset, as a new owner, and checks that nothing is left. */
    private Map<Load.Item, AcquireResult> askForEnds() throws IOException, InterruptedException {
        Map<Load.Item, AcquireResult> ends = new HashMap<>();
        List<String> lines = new ArrayList<>();
        Order order = order("judge", lane.server().port(), PATIENCE_MILLIS);
        try (Client client = lane.engine().connect(order)) {
            SharedWorkLease lease =
                    new LeaseHistory(order.owner(), System::nanoTime, lines::add).recording(client.lease());
            for (Load.Item item : Load.of(seed).items()) {
                ends.put(item, lease.tryAcquire(item.domainId(), item.offset()));
            }
            for (String domainId : Load.of(seed).domainIds()) {
                DomainSnapshot domain = lease.inspect(domainId).orElseThrow();
                if (domain.lease().isPresent() || !domain.backlog().isEmpty()) {
                    leftovers.add("something is left: " + domain);
                }
            }
            if (twin == Twin.NONE) {
                List<String> sideLeases = new ArrayList<>();
                new SideLeases(order, client, sideLeases::add, new Random(seed))
                        .end(PATIENCE_MILLIS)
                        .ifPresent(leftovers::add);
                Files.write(order.recordsOf(Order.SIDE), sideLeases);
                booked = client.books().map(Books::entries).orElse(List.of());
            }
        }
        Files.write(order.history(), lines);
        return ends;
    }
}

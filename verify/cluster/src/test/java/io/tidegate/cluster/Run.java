package io.tidegate.cluster;

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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One seed: gives out the orders, lets things go wrong when it is their time, and looks at what came of it. */
final class Run {
    private static final long LEASE_MILLIS = 300;
    private static final long WAIT_MILLIS = 500;
    /** How long nothing may be heard of any worker: on a busy machine a process may take long to start. */
    private static final long PATIENCE_MILLIS = 120_000;
    /** With clocks an hour apart it never comes to an end. What was done until then must show it. */
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
        if (ended) {
        } else {
            replaceAll();
        }
        if (twin != Twin.NONE && !crashes.isEmpty()) {
            throw new IllegalStateException(crashes.get(0)); // that is not what it was to show
        }
        Map<Load.Item, AcquireResult> ends = ended ? askForEnds() : Map.of();
        Evidence evidence =
                new Evidence(Load.of(seed), LeaseHistory.read(lines()), resource.writes(), LEASE_MILLIS, maxRetries());
        Optional<String> breach = Stream.of(
                        crashes.stream().findFirst(),
                        evidence.breach(),
                        leftovers.stream().findFirst(),
                        ended ? evidence.breachOfEnds(ends) : unfinished(),
                        ended ? evidence.breachOfIdleness(Lane.SLOTS, ends) : unfinished())
                .flatMap(Optional::stream)
                .findFirst();
        if (breach.isPresent()) {
            writeDown();
        }
        return new Verdict(breach.map(what -> what + ", as is written in " + records), evidence.facts(ends));
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

    private List<Fault> schedule() {
        return Fault.schedule(seed, Lane.SLOTS, LEASE_MILLIS);
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
                records.resolve(owner + ".history"));
    }

    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(records)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".history")).toList()) {
                String text = Files.readString(file, UTF_8);
                // a killed process may have begun a line
                text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(lines::add);
            }
        }
        return lines;
    }

    // What happens

    /** Whether all workers heard of the end of all work. */
    private boolean play() throws IOException, InterruptedException {
        if (!hearUntilAll(ready, PATIENCE_MILLIS)) {
            return false;
        }
        begun = true;
        startNanos = System.nanoTime();
        for (int slot = 0; slot < Lane.SLOTS; slot++) {
            lane.process(slot).begin(startNanos);
        }
        Troubles troubles = new Troubles(lane, resource, schedule(), ready);
        while (!troubles.areOver() && crashes.isEmpty() && elapsedMillis() < PATIENCE_MILLIS) {
            WorkerProcess.Event event = next(troubles.dueMillis());
            if (event != null) {
                hear(event);
            } else {
                troubles.step(elapsedMillis());
            }
        }
        if (!troubles.areOver()) {
            crashes.add("these did not happen, or had no effect: " + troubles);
        }
        for (int slot = 0; slot < Lane.SLOTS; slot++) {
            lane.proxy(slot).heal();
            lane.process(slot).signal("CONT");
        }
        Files.createFile(Order.end(records));
        long patience = twin == Twin.CLIENT_CLOCK ? PATIENCE_WITH_CLOCKS_MILLIS : PATIENCE_MILLIS;
        return hearUntilAll(done, patience);
    }

    /** Whether all workers came to be among these before nothing was heard of any for so long, and none has crashed. */
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
            return; // it was replaced
        }
        switch (event.kind()) {
            case READY -> ready.add(process.slot());
            case DONE -> done.add(process.slot());
            case ENDED -> replace(process);
        }
    }

    private void replace(WorkerProcess process) throws IOException {
        if (process.exit() != WorkerProcess.KILLED_EXIT && process.exit() != Worker.DEADLY_EXIT) {
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

    // What came of it

    /** Asks once more for everything, as somebody who has not been there, and sees that nothing is left. */
    private Map<Load.Item, AcquireResult> askForEnds() throws IOException {
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
        }
        Files.write(order.history(), lines);
        return ends;
    }
}

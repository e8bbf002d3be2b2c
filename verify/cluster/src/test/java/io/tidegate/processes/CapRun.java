package io.tidegate.processes;

import io.tidegate.cluster.CapStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run of a seed: processes that share a cap, faults that hit them, a cap that changes, and the checks. */
final class CapRun {
    private static final int LARGEST_CAP = 8;
    private static final long LEASE_MILLIS = 300;
    private static final long PACE_MILLIS = 3;
    private static final long PATIENCE_MILLIS = 300_000;
    private static final int CAP_CHANGES = 3;
    private static final int LAST_CHANGE_MILLIS = 1_500;

    /** The begin or the end of a fault. */
    private record Turn(int atMillis, Fault fault, boolean begins) {
        static Stream<Turn> of(Fault fault) {
            return Stream.of(
                    new Turn(fault.atMillis(), fault, true),
                    new Turn(fault.atMillis() + fault.lastsMillis(), fault, false));
        }
    }

    private record CapChange(int atMillis, int cap) {}

    private final CapLane lane;
    private final String name;
    private final CapTwin twin;
    private final Path records;
    private final boolean strict;
    private final boolean rejects;
    private final Deque<Turn> turns;
    private final Deque<CapChange> capChanges = new ArrayDeque<>();
    private final List<List<Path>> histories = new ArrayList<>();
    private final TreeMap<Long, Integer> bounds = new TreeMap<>();
    private final List<String> breaches = new ArrayList<>();
    private int cap;

    CapRun(CapLane lane, long seed, CapTwin twin, String name, Path records) {
        this.lane = lane;
        this.name = name;
        this.twin = twin;
        this.records = records;
        SplittableRandom random = new SplittableRandom(seed);
        this.strict = seed % 2 == 0;
        this.rejects = random.nextBoolean();
        this.cap = 2 + random.nextInt(LARGEST_CAP - 1);
        this.turns = Fault.schedule(seed, CapLane.SLOTS, LEASE_MILLIS, false).stream()
                .flatMap(Turn::of)
                .sorted(Comparator.comparingInt(Turn::atMillis))
                .collect(Collectors.toCollection(ArrayDeque::new));
        random.ints(CAP_CHANGES, 0, LAST_CHANGE_MILLIS)
                .sorted()
                .forEach(at -> capChanges.add(new CapChange(at, 1 + random.nextInt(LARGEST_CAP))));
        for (int slot = 0; slot < CapLane.SLOTS; slot++) {
            histories.add(new ArrayList<>());
        }
    }

    Optional<String> breach() throws IOException, InterruptedException {
        try (CapClient witness = CapClient.connect(lane.engine(), lane.server().port(), name)) {
            bounds.put(System.nanoTime(), cap);
            witness.store().setCap(name, cap);
            for (int slot = 0; slot < CapLane.SLOTS; slot++) {
                order(slot);
            }
            play(witness.store());
            if (twin == CapTwin.NONE && breaches.isEmpty()) {
                allIsUsedAgain(witness.store());
                allEnd(witness.store());
            } else {
                lane.replaceAll();
            }
        }
        List<List<String>> lines = new ArrayList<>();
        for (Path history : histories.stream().flatMap(List::stream).toList()) {
            lines.add(lines(history));
        }
        return Stream.concat(breaches.stream(), new CapEvidence(lines, LEASE_MILLIS, bounds).breach().stream())
                .findFirst()
                .map(breach -> breach + ", as is written in " + records);
    }

    private void order(int slot) {
        Path history =
                records.resolve("worker" + slot + "-" + lane.process(slot).pid());
        histories.get(slot).add(history);
        lane.process(slot)
                .send(new CapOrder(
                                lane.engine(),
                                lane.proxy(slot).port(),
                                name,
                                cap,
                                LEASE_MILLIS,
                                strict,
                                rejects,
                                twin,
                                history)
                        .text());
    }

    /* Returns the lines of a history. A killed process may have left half a line. */
    private static List<String> lines(Path history) throws IOException {
        if (!Files.exists(history)) {
            return List.of();
        }
        String text = Files.readString(history);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private Path latest(int slot) {
        return histories.get(slot).get(histories.get(slot).size() - 1);
    }

    // The run

    private void play(CapStore witness) throws IOException, InterruptedException {
        for (int slot = 0; slot < CapLane.SLOTS; slot++) {
            Path history = latest(slot);
            await("a worker that is given a lease", () -> !lines(history).isEmpty());
        }
        long start = System.nanoTime();
        while (!turns.isEmpty() || !capChanges.isEmpty()) {
            long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            if (!turns.isEmpty() && turns.getFirst().atMillis() <= now) {
                take(turns.removeFirst());
            } else if (!capChanges.isEmpty() && capChanges.getFirst().atMillis() <= now) {
                change(witness, capChanges.removeFirst().cap());
            } else {
                look(witness);
                TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
            }
        }
        for (int slot = 0; slot < CapLane.SLOTS; slot++) {
            lane.proxy(slot).heal();
            lane.process(slot).signal("CONT");
        }
    }

    private void take(Turn turn) throws IOException {
        if (turn.begins()) {
            begin(turn.fault());
        } else {
            end(turn.fault());
        }
    }

    private void begin(Fault fault) throws IOException {
        FaultProxy proxy = lane.proxy(fault.slot());
        CapProcess process = lane.process(fault.slot());
        switch (fault.kind()) {
            case CUT -> proxy.cut();
            case TRUNCATE_REQUESTS -> proxy.cutAfter(FaultProxy.Direction.REQUESTS, fault.amount());
            case TRUNCATE_REPLIES -> proxy.cutAfter(FaultProxy.Direction.REPLIES, fault.amount());
            case DELAY -> proxy.delay(fault.amount());
            case BLACK_HOLE -> proxy.swallowReplies();
            case KILL -> {
                lane.replace(fault.slot());
                order(fault.slot());
            }
            case STOP -> process.signal("STOP");
            case RESTART_SERVER -> lane.server().killAndStart();
        }
    }

    private void end(Fault fault) throws IOException {
        switch (fault.kind()) {
            case DELAY -> lane.proxy(fault.slot()).delay(0);
            case BLACK_HOLE -> lane.proxy(fault.slot()).letRepliesThrough();
            case STOP -> lane.process(fault.slot()).signal("CONT");
            default -> {}
        }
    }

    /**
     * Changes the cap. A raised cap may be used from before the change; a lowered one must hold once everything in
     * flight fits.
     */
    private void change(CapStore witness, int newCap) throws InterruptedException {
        cap = newCap;
        bounds.put(System.nanoTime(), Math.max(bounds.lastEntry().getValue(), newCap));
        await("the engine to take a cap", () -> isAsked(() -> witness.setCap(name, newCap)));
    }

    private void look(CapStore witness) {
        isAsked(() -> look(witness.inspect(name).orElseThrow()));
    }

    private void look(CapStore.Division division) {
        int slices =
                division.members().stream().mapToInt(CapStore.Member::slice).sum();
        if (slices > bounds.lastEntry().getValue()) {
            breaches.add("slices of " + division.members() + " under a cap of " + cap);
        }
        if (division.held() <= cap) {
            bounds.put(System.nanoTime(), cap);
        }
    }

    /** Whether the server was there to answer the question. */
    private boolean isAsked(Runnable question) {
        try {
            question.run();
            return true;
        } catch (RuntimeException thrown) {
            if (!lane.engine().isAway(thrown)) {
                throw thrown;
            }
            return false;
        }
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(String what, Condition condition) throws InterruptedException {
        long start = System.nanoTime();
        try {
            while (!condition.holds()) {
                if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
                    throw new IllegalStateException("waited in vain for " + what + ": " + lane.errors());
                }
                TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    // The checks

    /**
     * Checks that dead members hold nothing any more, and that the living ones hold and use the whole cap, once nothing
     * goes wrong and operations do not end. More than the cap is in use if the cap was lowered just before.
     */
    private void allIsUsedAgain(CapStore witness) throws InterruptedException {
        lane.sendAll(CapWorker.HOLD);
        await("all permits to be used: " + cap, () -> {
            look(witness);
            long inUse = 0;
            for (int slot = 0; slot < CapLane.SLOTS; slot++) {
                inUse += CapEvidence.endless(lines(latest(slot)));
            }
            return inUse >= cap && isHeldByTheLiving(witness);
        });
    }

    private boolean isHeldByTheLiving(CapStore witness) {
        Set<String> living = lane.pids().stream().map(Object::toString).collect(Collectors.toSet());
        return isAsked(() -> look(witness))
                && witness.inspect(name).orElseThrow().members().stream()
                        .allMatch(member -> living.contains(
                                member.owner().substring(0, member.owner().indexOf('-'))));
    }

    /** Checks that every member gives everything back when it closes. */
    private void allEnd(CapStore witness) throws InterruptedException {
        lane.sendAll(CapWorker.END);
        for (int slot = 0; slot < CapLane.SLOTS; slot++) {
            if (!lane.process(slot).isDoneWithin(PATIENCE_MILLIS)) {
                throw new IllegalStateException("a worker has not ended: " + lane.errors());
            }
        }
        await(
                "all to have left",
                () -> witness.inspect(name).orElseThrow().members().isEmpty());
    }
}

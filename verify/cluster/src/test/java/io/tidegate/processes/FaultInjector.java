package io.tidegate.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;

/**
 * Makes the faults of a run happen: each at its time, as soon as it can hit something, and until it has had an effect.
 */
final class FaultInjector {
    private static final int LATER_MILLIS = 10;

    /** How long to wait for a process to be in the middle of its work, where a fault hurts most. */
    private static final int MIDDLE_MILLIS = 500;

    /** How long a halted worker waits for others to do its work; they may have given up the work instead. */
    private static final int OVERTAKEN_MILLIS = 2_000;

    /** A fault that is planned or under way. */
    private static final class Injection {
        final Fault fault;
        long dueMillis;
        long awaitedMillis = Long.MAX_VALUE;
        Optional<FencedResource.Write> struck = Optional.empty();
        boolean begun;
        int effectsBefore;

        Injection(Fault fault) {
            this.fault = fault;
            this.dueMillis = fault.atMillis();
        }
    }

    private final Lane lane;
    private final FencedResource resource;
    private final Path records;
    private final Set<Integer> ready;
    private WorkerProcess deployed;
    private final Queue<Injection> injections =
            new PriorityQueue<>(Comparator.comparingLong(injection -> injection.dueMillis));

    /**
     * Plans these faults.
     *
     * @param ready the slots of workers that a fault can hit; a killed one is taken out
     */
    FaultInjector(Lane lane, FencedResource resource, Path records, List<Fault> faults, Set<Integer> ready) {
        this.lane = lane;
        this.resource = resource;
        this.records = records;
        this.ready = ready;
        faults.forEach(fault -> injections.add(new Injection(fault)));
    }

    boolean areOver() {
        return injections.isEmpty();
    }

    /** Returns when the next step is due. */
    long dueMillis() {
        return injections.element().dueMillis;
    }

    /** Begins and ends the faults that are due. */
    void step(long elapsedMillis) throws IOException {
        Injection injection = injections.remove();
        if (injection.begun) {
            if (hasHadEffect(injection, elapsedMillis)) {
                end(injection.fault);
                return;
            }
            injection.dueMillis = elapsedMillis + LATER_MILLIS;
        } else if (canBefall(injection.fault) && isInTheMiddle(injection, elapsedMillis)) {
            injection.effectsBefore = effects(injection.fault);
            injection.begun = begin(injection.fault);
            injection.dueMillis = elapsedMillis + (injection.begun ? injection.fault.lastsMillis() : LATER_MILLIS);
        } else {
            injection.dueMillis = elapsedMillis + LATER_MILLIS;
        }
        injections.add(injection);
    }

    private boolean canBefall(Fault fault) {
        boolean isThere = ready.contains(fault.slot());
        return switch (fault.kind()) {
            case RESTART_SERVER -> true;
            case CUT -> isThere && lane.proxy(fault.slot()).isConnected();
            case KILL, DEPLOY -> isThere && !isBefallenBy(Fault.Kind.STOP, fault.slot());
            default -> isThere && !isBefallenBy(fault.kind(), fault.slot());
        };
    }

    private boolean isInTheMiddle(Injection injection, long elapsedMillis) {
        Fault.Kind kind = injection.fault.kind();
        if (kind != Fault.Kind.KILL && kind != Fault.Kind.STOP) {
            return true;
        }
        injection.awaitedMillis = Math.min(injection.awaitedMillis, elapsedMillis);
        injection.struck = resource.heldUp(injection.fault.slot());
        return injection.struck.isPresent() || elapsedMillis - injection.awaitedMillis > MIDDLE_MILLIS;
    }

    private boolean isBefallenBy(Fault.Kind kind, int slot) {
        return injections.stream()
                .anyMatch(other -> other.begun && other.fault.kind() == kind && other.fault.slot() == slot);
    }

    /** Begins a fault. Returns false if it cannot hit anything yet. */
    private boolean begin(Fault fault) throws IOException {
        FaultProxy proxy = lane.proxy(fault.slot());
        WorkerProcess process = lane.process(fault.slot());
        switch (fault.kind()) {
            case CUT -> proxy.cut();
            case TRUNCATE_REQUESTS -> proxy.cutAfter(FaultProxy.Direction.REQUESTS, fault.amount());
            case TRUNCATE_REPLIES -> proxy.cutAfter(FaultProxy.Direction.REPLIES, fault.amount());
            case DELAY -> proxy.delay(fault.amount());
            case BLACK_HOLE -> proxy.swallowReplies();
            case KILL -> {
                ready.remove(fault.slot());
                boolean killed = process.kill();
                resource.release(fault.slot());
                return killed;
            }
            case STOP -> {
                process.signal("STOP");
                boolean stopped = process.isStopped();
                if (stopped) {
                    resource.release(fault.slot());
                }
                return stopped;
            }
            case RESTART_SERVER -> lane.server().killAndStart();
            case DEPLOY -> {
                deployed = process;
                Files.createFile(Order.stop(records, WorkerProcess.owner(fault.slot(), Long.toString(process.pid()))));
            }
        }
        return true;
    }

    private boolean hasHadEffect(Injection injection, long elapsedMillis) {
        return switch (injection.fault.kind()) {
            case CUT, KILL, RESTART_SERVER -> true; // the begin waited for the effect
            case STOP ->
                injection.struck.map(resource::isOvertaken).orElse(true)
                        || elapsedMillis - injection.awaitedMillis > OVERTAKEN_MILLIS;
            case DEPLOY -> deployed.exit() != null;
            default -> effects(injection.fault) > injection.effectsBefore;
        };
    }

    private int effects(Fault fault) {
        FaultProxy proxy = lane.proxy(fault.slot());
        return switch (fault.kind()) {
            case TRUNCATE_REQUESTS -> proxy.truncated(FaultProxy.Direction.REQUESTS);
            case TRUNCATE_REPLIES -> proxy.truncated(FaultProxy.Direction.REPLIES);
            case DELAY -> proxy.delayed();
            case BLACK_HOLE -> proxy.swallowed();
            default -> 0;
        };
    }

    private void end(Fault fault) throws IOException {
        switch (fault.kind()) {
            case DELAY -> lane.proxy(fault.slot()).delay(0);
            case BLACK_HOLE -> lane.proxy(fault.slot()).letRepliesThrough();
            case STOP -> lane.process(fault.slot()).signal("CONT");
            default -> {}
        }
    }

    /** Names the faults that have not happened, or not ended. */
    @Override
    public String toString() {
        List<Fault> faults = new ArrayList<>();
        injections.forEach(injection -> faults.add(injection.fault));
        return faults.toString();
    }
}

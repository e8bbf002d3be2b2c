package io.tidegate.lab.remote;

import io.tidegate.lab.remote.LoweredCap.Phase;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The course of a remote bulkhead, from its events alone. Thread-safe. */
final class RemoteLog implements Consumer<BulkheadEvent> {
    private static final String REQUEST = "request=";

    /**
     * The state of the bulkhead from a moment on.
     *
     * @param atMs the moment, on the bulkhead's clock
     * @param waiting how many requests wait
     * @param draining whether the cap was lowered below the number in flight and no request is admitted yet
     */
    record Standing(long atMs, int inFlight, int cap, int waiting, boolean draining) {}

    /**
     * A drain because of a lowered cap.
     *
     * @param inFlight how many were in flight when it began
     * @param took how long no request could be admitted
     */
    record Drain(int inFlight, Duration took) {}

    /**
     * The beginning of a phase.
     *
     * @param index of its first event, which is also that of the standing before it
     */
    private record Start(int index, long atMs) {}

    private final Map<Phase, Start> starts = new EnumMap<>(Phase.class);
    private final List<BulkheadEvent> events = new ArrayList<>();
    private final List<Standing> standings = new ArrayList<>();
    private final Set<String> line = new LinkedHashSet<>();
    private Standing last;
    private int admittedWhileDraining;
    private int admittedOutOfTurn;

    /** Starts with no request in flight. */
    RemoteLog(int cap) {
        last = new Standing(0, 0, cap, 0, false);
        standings.add(last);
    }

    /** Notes that a phase begins now, on the bulkhead's clock. */
    synchronized void begin(Phase phase, long nowMs) {
        starts.put(phase, new Start(events.size(), nowMs));
    }

    @Override
    public synchronized void accept(BulkheadEvent event) {
        switch (event.eventCode()) {
            case RB_REQUEST_QUEUED -> line.add(request(event));
            case RB_REQUEST_REJECTED -> line.remove(request(event));
            case RB_PERMIT_ACQUIRED -> admitted(request(event));
            default -> {}
        }
        // Threads read the clock before their turn comes, so an event may be a little older than the one before it.
        long atMs = Math.max(last.atMs, event.nowMs());
        last = new Standing(atMs, event.inFlight(), event.maxInFlight(), line.size(), isDraining(event));
        standings.add(last);
        events.add(event);
    }

    private static String request(BulkheadEvent event) {
        String detail = event.detail();
        return detail.substring(detail.indexOf(REQUEST) + REQUEST.length());
    }

    private void admitted(String request) {
        if (last.draining) {
            admittedWhileDraining++;
        }
        if (!line.isEmpty() && !line.iterator().next().equals(request)) {
            admittedOutOfTurn++;
        }
        line.remove(request);
    }

    /* No event says that draining is over. It is over when the cap is no longer below the number in flight. */
    private boolean isDraining(BulkheadEvent event) {
        return event.eventCode() == BulkheadEventCode.RB_CAP_CHANGED
                ? event.inFlight() > event.maxInFlight()
                : last.draining && event.inFlight() >= event.maxInFlight();
    }

    /** Returns how many events of a code a phase has. */
    synchronized long count(Phase phase, BulkheadEventCode code) {
        return events.subList(start(phase).index, end(phase)).stream()
                .filter(event -> event.eventCode() == code)
                .count();
    }

    /** Returns the state when a phase began, and after each of its events. */
    synchronized List<Standing> during(Phase phase) {
        return List.copyOf(standings.subList(start(phase).index, end(phase) + 1));
    }

    /** Returns all states from one time of the run on and before another. */
    synchronized List<Standing> during(Duration from, Duration to) {
        long fromMs = start(Phase.BEFORE).atMs + from.toMillis();
        long toMs = start(Phase.BEFORE).atMs + to.toMillis();
        List<Standing> earlier =
                standings.stream().filter(standing -> standing.atMs < fromMs).toList();
        Stream<Standing> within =
                standings.stream().filter(standing -> standing.atMs >= fromMs && standing.atMs < toMs);
        return Stream.concat(earlier.stream().skip(Math.max(0, earlier.size() - 1)), within)
                .toList();
    }

    /** Returns when a phase began, as a time from the beginning of the first one. */
    synchronized Duration startOf(Phase phase) {
        return Duration.ofMillis(start(phase).atMs - start(Phase.BEFORE).atMs);
    }

    /* A phase that has not begun is empty. */
    private Start start(Phase phase) {
        return starts.getOrDefault(phase, new Start(events.size(), last.atMs));
    }

    private int end(Phase phase) {
        return phase == Phase.CLOSING ? events.size() : start(Phase.ALL.get(Phase.ALL.indexOf(phase) + 1)).index;
    }

    /** Returns the first drain because of a lowered cap, if it came to an end. */
    synchronized Optional<Drain> drain() {
        List<Standing> fromThere =
                standings.stream().dropWhile(standing -> !standing.draining).toList();
        return fromThere.stream()
                .filter(standing -> !standing.draining)
                .findFirst()
                .map(over ->
                        new Drain(fromThere.get(0).inFlight, Duration.ofMillis(over.atMs - fromThere.get(0).atMs)));
    }

    /** Returns how long it took from the raised cap until the queue was empty. */
    synchronized Optional<Duration> lineEmptied() {
        Start raised = start(Phase.AFTER);
        return standings.subList(raised.index, standings.size()).stream()
                .filter(standing -> standing.waiting == 0)
                .findFirst()
                .map(empty -> Duration.ofMillis(Math.max(0, empty.atMs - raised.atMs)));
    }

    /** Returns how many requests were admitted during a drain. */
    synchronized int admittedWhileDraining() {
        return admittedWhileDraining;
    }

    /** Returns how many requests were admitted before another that had waited for longer. */
    synchronized int admittedOutOfTurn() {
        return admittedOutOfTurn;
    }
}

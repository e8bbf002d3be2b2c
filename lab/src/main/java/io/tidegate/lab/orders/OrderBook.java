package io.tidegate.lab.orders;

import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The workers' reports. Reports of two workers may come in any order. Fences show which lease was first: each time an
 * order is granted, its fence is greater. Thread-safe.
 */
public final class OrderBook {
    /** What a worker reports of an order. */
    enum Event {
        STARTED,
        SUCCEEDED,
        RETRIED,
        PARKED,
        LOST
    }

    /** How often each event of one lease was reported. */
    private static final class Turn {
        private final String worker;
        private final long order;
        private final Map<Event, Integer> events = new HashMap<>();

        Turn(String worker, long order) {
            this.worker = worker;
            this.order = order;
        }

        int count(Event event) {
            return events.getOrDefault(event, 0);
        }

        boolean isRunning() {
            return count(Event.STARTED)
                    > count(Event.SUCCEEDED) + count(Event.RETRIED) + count(Event.PARKED) + count(Event.LOST);
        }
    }

    private final Map<String, TreeMap<Long, Turn>> turns = new LinkedHashMap<>();
    private final Map<String, Integer> cutOff = new HashMap<>();

    /** Records an event. */
    synchronized void record(String worker, Event event, String customer, long order, long fence) {
        turns.computeIfAbsent(customer, unused -> new TreeMap<>())
                .computeIfAbsent(fence, unused -> new Turn(worker, order))
                .events
                .merge(event, 1, Integer::sum);
    }

    /** Records the death of a worker: the orders that it ran are cut off. */
    synchronized void died(String worker) {
        turns.forEach((customer, own) -> own.values().stream()
                .filter(turn -> turn.worker.equals(worker) && turn.isRunning())
                .forEach(turn -> {
                    turn.events.merge(Event.LOST, 1, Integer::sum);
                    cutOff.merge(customer, 1, Integer::sum);
                }));
    }

    /** Whether a worker runs an order now, as its reports say. */
    synchronized boolean isRunning(String worker) {
        return turns.values().stream()
                .flatMap(own -> own.values().stream())
                .anyMatch(turn -> turn.worker.equals(worker) && turn.isRunning());
    }

    /** How many orders of a customer have ended, done or parked. */
    public synchronized long ended(String customer) {
        return count(customer, Event.SUCCEEDED) + count(customer, Event.PARKED);
    }

    /** Returns how many attempts at orders of a customer ended in this way. */
    synchronized long count(String customer, Event event) {
        return own(customer).values().stream()
                .mapToLong(turn -> turn.count(event))
                .sum();
    }

    /** Returns how many attempts ended in this way. */
    synchronized long count(Event event) {
        return turns.keySet().stream()
                .mapToLong(customer -> count(customer, event))
                .sum();
    }

    /** Returns how many orders were done. */
    public long done() {
        return count(Event.SUCCEEDED);
    }

    /** Returns how many orders failed for good. */
    public long parked() {
        return count(Event.PARKED);
    }

    /** Returns how many attempts ended because their worker died. */
    public synchronized long cutOff() {
        return cutOff.values().stream().mapToLong(Integer::longValue).sum();
    }

    synchronized long cutOff(String customer) {
        return cutOff.getOrDefault(customer, 0);
    }

    /** Returns how many times an order was granted after a later one, or ended more than once. */
    public synchronized long outOfTurn() {
        return turns.values().stream().mapToLong(OrderBook::outOfTurn).sum();
    }

    private static long outOfTurn(SortedMap<Long, Turn> own) {
        long wrong = 0;
        long latest = 0;
        Set<Long> ended = new HashSet<>();
        for (Turn turn : own.values()) {
            int ends = turn.count(Event.SUCCEEDED) + turn.count(Event.PARKED);
            boolean again = ends > 0 && !ended.add(turn.order);
            wrong += turn.order < latest || again || ends > 1 ? 1 : 0;
            latest = Math.max(latest, turn.order);
        }
        return wrong;
    }

    private SortedMap<Long, Turn> own(String customer) {
        return turns.getOrDefault(customer, new TreeMap<>());
    }

    /** Returns a listener that records a worker in this process. */
    LeaseRunnerListener listener(String worker) {
        return new RunnerEvents((event, work) -> record(worker, event, work.domainId(), work.offset(), work.fence()));
    }

    /** Gets the events. */
    interface Sink {
        void accept(Event event, LeasedWork work);
    }

    /** Reports the actions of a runner as events. */
    record RunnerEvents(Sink sink) implements LeaseRunnerListener {
        @Override
        public void onStarted(LeasedWork work) {
            sink.accept(Event.STARTED, work);
        }

        @Override
        public void onSucceeded(LeasedWork work) {
            sink.accept(Event.SUCCEEDED, work);
        }

        @Override
        public void onRetryScheduled(LeasedWork work, Throwable error, Duration delay) {
            sink.accept(Event.RETRIED, work);
        }

        @Override
        public void onParked(LeasedWork work, Throwable error) {
            sink.accept(Event.PARKED, work);
        }

        @Override
        public void onLost(LeasedWork work, IllegalStateException refusal) {
            sink.accept(Event.LOST, work);
        }
    }
}

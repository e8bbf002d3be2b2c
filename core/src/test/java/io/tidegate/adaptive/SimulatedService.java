package io.tidegate.adaptive;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadRejectedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * A service in virtual time: a number of servers, a queue in order of arrival, and callers that offer three times what
 * the servers can carry. The service does not notice that a caller has gone. The same seed gives the same course.
 */
final class SimulatedService {
    static final int FACTOR = 3;
    static final double PATIENCE = 2.5;

    private static final long SECOND = 1_000_000_000L;

    /** An event at a time. Of two events at one time the one that was planned first comes first. */
    private record Event(long time, long number, Runnable what) {}

    /** A call that is over: when, how long it took, and whether it was answered. */
    private record Call(long ended, long took, boolean answered) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
    private final Queue<CompletableFuture<String>> waiting = new ArrayDeque<>();
    private final List<Call> calls = new ArrayList<>();
    private final Random random;
    private final double jitter;
    private final boolean patient;
    private AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
    private long work;
    private long now;
    private long planned;
    private int servers;
    private int busy;

    /**
     * Starts empty.
     *
     * @param work how long a call takes by itself
     * @param jitter by which share a call may take less or more time
     * @param patient whether callers wait for ever, instead of {@link #PATIENCE} times the work
     */
    SimulatedService(long seed, long work, double jitter, boolean patient) {
        this.random = new Random(seed);
        this.work = work;
        this.jitter = jitter;
        this.patient = patient;
    }

    long now() {
        return now;
    }

    /** Sends calls to the service through this bulkhead, three times as many as so many servers can carry. */
    void protect(AsyncBulkhead bulkhead, int servers) {
        this.bulkhead = bulkhead;
        this.servers = servers;
        arrive();
    }

    /** Changes how long a call takes by itself. */
    void workTakes(long nanos) {
        work = nanos;
    }

    /** Lets time pass with so many servers. */
    void run(int servers, int seconds) {
        this.servers = servers;
        startWaiting();
        long end = now + seconds * SECOND;
        for (Event next = events.peek(); next != null && next.time <= end; next = events.peek()) {
            events.remove();
            now = next.time;
            next.what.run();
        }
        now = end;
    }

    private void at(long time, Runnable what) {
        events.add(new Event(time, planned++, what));
    }

    private void arrive() {
        call();
        double gap = -Math.log(1 - random.nextDouble()) * work / (FACTOR * (double) servers);
        at(now + Math.max(1, (long) gap), this::arrive);
    }

    private void call() {
        long began = now;
        CompletableFuture<String> returned = bulkhead.submit(this::serve).toCompletableFuture();
        if (!patient && !returned.isDone()) {
            at(now + (long) (PATIENCE * work), () -> giveUp(returned));
        }
        returned.whenComplete((value, error) -> {
            if (!(error instanceof BulkheadRejectedException)) {
                calls.add(new Call(now, now - began, error == null));
            }
        });
    }

    private static void giveUp(CompletableFuture<String> returned) {
        if (!returned.isDone()) {
            returned.completeExceptionally(new TimeoutException());
        }
    }

    private CompletableFuture<String> serve() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        waiting.add(operation);
        startWaiting();
        return operation;
    }

    private void startWaiting() {
        while (busy < servers && !waiting.isEmpty()) {
            CompletableFuture<String> operation = waiting.remove();
            busy++;
            long takes = (long) (work * (1 + jitter * (2 * random.nextDouble() - 1)));
            at(now + takes, () -> {
                busy--;
                operation.complete("done");
                startWaiting();
            });
        }
    }

    /**
     * Returns how many calls were answered from one second to another, as a share of what so many servers can answer.
     */
    double goodput(int servers, int from, int to) {
        long answered = between(from, to).stream().filter(Call::answered).count();
        return (double) answered * work / ((double) servers * (to - from) * SECOND);
    }

    /** Returns the 99th percentile of the latency, as a multiple of the work. */
    double p99(int from, int to) {
        long[] took = between(from, to).stream().mapToLong(Call::took).sorted().toArray();
        return took.length == 0 ? 0 : (double) took[(int) Math.ceil(took.length * 0.99) - 1] / work;
    }

    private List<Call> between(int from, int to) {
        return calls.stream()
                .filter(call -> call.ended >= from * SECOND && call.ended < to * SECOND)
                .toList();
    }
}

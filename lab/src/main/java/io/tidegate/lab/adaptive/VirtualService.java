package io.tidegate.lab.adaptive;

import io.tidegate.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A service in virtual time: first come first served, with a queue for all admitted calls. It does not notice that a
 * caller has gone. The same seed gives the same course.
 */
final class VirtualService {
    private static final long SECOND = 1_000_000_000L;

    /** Stands between the callers and the service. */
    @FunctionalInterface
    interface Gate {
        CompletionStage<String> submit(Supplier<CompletionStage<String>> call);
    }

    /** Something that happens at a time. Events of the same time happen in the order in which they were planned. */
    private record Event(long time, long number, Runnable what) {}

    /** The calls that were admitted and ended in a second. */
    private static final class Second {
        int answered;
        final List<Long> waits = new ArrayList<>();
    }

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
    private final Queue<CompletableFuture<String>> waiting = new ArrayDeque<>();
    private final Random random = new Random(0);
    private final ChangingCapacity setting;
    private final boolean patient;
    private final List<Second> ended = new ArrayList<>();
    private long now;
    private long planned;
    private int busy;

    VirtualService(ChangingCapacity setting, boolean patient) {
        this.setting = setting;
        this.patient = patient;
        for (int i = 0; i < setting.seconds(); i++) {
            ended.add(new Second());
        }
    }

    long now() {
        return now;
    }

    /** Plays all phases. */
    void play(Gate gate) {
        for (int phase = 0; phase < setting.servers().size(); phase++) {
            at((long) phase * setting.phase() * SECOND, this::startWaiting);
        }
        arrive(gate);
        long end = setting.seconds() * SECOND;
        for (Event next = events.remove(); next.time < end; next = events.remove()) {
            now = next.time;
            next.what.run();
        }
    }

    private int servers() {
        return setting.serversAt((int) (now / SECOND));
    }

    private void at(long time, Runnable what) {
        events.add(new Event(time, planned++, what));
    }

    private void arrive(Gate gate) {
        call(gate);
        double perSecond = ChangingCapacity.FACTOR * setting.perSecond(servers());
        double gap = -Math.log(1 - random.nextDouble()) * SECOND / perSecond;
        at(now + Math.max(1, (long) gap), () -> arrive(gate));
    }

    private void call(Gate gate) {
        long began = now;
        CompletableFuture<String> returned = gate.submit(this::serve).toCompletableFuture();
        if (!patient && !returned.isDone()) {
            long patience = (long) (ChangingCapacity.PATIENCE * setting.work().toNanos());
            at(now + patience, () -> giveUp(returned));
        }
        CompletableFuture<Void> unused = returned.handle((value, error) -> {
            if (Refusal.in(error).isEmpty()) {
                Second second = ended.get((int) (now / SECOND));
                second.answered += error == null ? 1 : 0;
                second.waits.add(now - began);
            }
            return null;
        });
    }

    private static void giveUp(CompletableFuture<String> returned) {
        if (!returned.isDone()) {
            returned.completeExceptionally(new TimeoutException());
        }
    }

    private CompletionStage<String> serve() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        waiting.add(operation);
        startWaiting();
        return operation;
    }

    private void startWaiting() {
        while (busy < servers() && !waiting.isEmpty()) {
            CompletableFuture<String> operation = waiting.remove();
            busy++;
            at(now + setting.work().toNanos(), () -> {
                busy--;
                operation.complete("done");
                startWaiting();
            });
        }
    }

    /** Returns how many calls were answered in these seconds, as a share of the possible number. */
    double goodput(int from, int to) {
        double could = 0;
        int answered = 0;
        for (int second = from; second < to; second++) {
            could += setting.perSecond(setting.serversAt(second));
            answered += ended.get(second).answered;
        }
        return answered / could;
    }

    /** Returns the p99 of the wait in these seconds, as a multiple of the work. */
    double p99(int from, int to) {
        long[] waits = ended.subList(from, to).stream()
                .flatMap(second -> second.waits.stream())
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        int rank = (int) Math.ceil(waits.length * 0.99);
        return rank == 0 ? 0 : (double) waits[rank - 1] / setting.work().toNanos();
    }
}

package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The library's own bookkeeping, with a clock that never shows the same time twice. */
final class TrueLanes implements Bookkeeping<Waiter> {
    private final AtomicLong time = new AtomicLong();
    private final SharedPlaces shared;
    private final List<Lane> lanes = new ArrayList<>();

    private static final class Numbered extends Waiter {
        final int number;

        Numbered(Lane lane, int number) {
            super(lane);
            this.number = number;
        }
    }

    TrueLanes(int limit, int threshold, List<Limits> limits) {
        shared = new SharedPlaces(limit, threshold, time::incrementAndGet);
        for (Limits one : limits) {
            shared.addLane();
            lanes.add(new Lane(shared, "lane " + lanes.size(), one.concurrency(), one.inFlight(), one.threshold()));
        }
    }

    @Override
    public Waiter task(int lane, int number) {
        return new Numbered(lanes.get(lane), number);
    }

    @Override
    public int number(Waiter task) {
        return ((Numbered) task).number;
    }

    @Override
    public Lane.Admission admit(Waiter task) {
        return task.lane.admit(task);
    }

    @Override
    public @Nullable Waiter end(Waiter task) {
        return task.lane.end(task, shared.now());
    }

    @Override
    public @Nullable Waiter endBody(Waiter task) {
        return task.lane.endBody(shared.now());
    }

    @Override
    public @Nullable Waiter endFlight(Waiter task) {
        return task.lane.endFlight(task, shared.now());
    }

    @Override
    public boolean withdraw(Waiter task) {
        return task.lane.withdraw(task);
    }

    @Override
    public List<Waiter> setLimit(int limit) {
        shared.startCounting();
        lanes.forEach(Lane::count);
        shared.setLimit(limit);
        List<Waiter> started = new ArrayList<>();
        for (Waiter next = shared.startSeated(); next != null; next = shared.startSeated()) {
            started.add(next);
        }
        return started;
    }

    @Override
    public List<Waiter> setConcurrency(int lane, int limit) {
        return requireNonNull(lanes.get(lane).setMaxConcurrency(limit));
    }

    @Override
    public boolean waits(Waiter task) {
        AtomicBoolean found = new AtomicBoolean();
        task.lane.show(waiting -> found.compareAndSet(false, waiting.equals(task)), flying -> {});
        return found.get();
    }

    @Override
    public Counts counts(int lane) {
        GroupStats stats = lanes.get(lane).stats();
        return new Counts(stats.running(), stats.inFlight(), stats.waiting());
    }

    @Override
    public int out() {
        return shared.out(
                lanes.stream().mapToInt(lane -> lane.stats().inFlight()).sum());
    }

    @Override
    public int waiting() {
        return shared.waiting(
                lanes.stream().mapToInt(lane -> lane.stats().waiting()).sum());
    }
}

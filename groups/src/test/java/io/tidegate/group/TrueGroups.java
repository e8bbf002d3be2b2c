package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The library's own bookkeeping, with a clock that never shows the same time twice. */
final class TrueGroups implements Bookkeeping<QueueNode> {
    private final AtomicLong time = new AtomicLong();
    private final SharedPermits shared;
    private final List<GroupQueue> groups = new ArrayList<>();

    private static final class Numbered extends QueueNode {
        final int number;

        Numbered(GroupQueue group, int number) {
            super(group);
            this.number = number;
        }
    }

    TrueGroups(int limit, int threshold, List<Limits> limits) {
        shared = new SharedPermits(limit, threshold, time::incrementAndGet);
        for (Limits one : limits) {
            shared.addGroup();
            groups.add(new GroupQueue(
                    shared, "group " + groups.size(), one.concurrency(), one.inFlight(), one.threshold()));
        }
    }

    @Override
    public QueueNode task(int group, int number) {
        return new Numbered(groups.get(group), number);
    }

    @Override
    public int number(QueueNode task) {
        return ((Numbered) task).number;
    }

    @Override
    public GroupQueue.Admission admit(QueueNode task) {
        return task.group.admit(task);
    }

    @Override
    public @Nullable QueueNode end(QueueNode task) {
        return task.group.end(task, shared.now());
    }

    @Override
    public @Nullable QueueNode endBody(QueueNode task) {
        return task.group.endBody(shared.now());
    }

    @Override
    public @Nullable QueueNode endFlight(QueueNode task) {
        return task.group.endFlight(task, shared.now());
    }

    @Override
    public boolean withdraw(QueueNode task) {
        return task.group.withdraw(task);
    }

    @Override
    public List<QueueNode> setLimit(int limit) {
        shared.startCounting();
        groups.forEach(GroupQueue::count);
        shared.setLimit(limit);
        List<QueueNode> started = new ArrayList<>();
        for (QueueNode next = shared.startSeated(); next != null; next = shared.startSeated()) {
            started.add(next);
        }
        return started;
    }

    @Override
    public List<QueueNode> setConcurrency(int group, int limit) {
        return requireNonNull(groups.get(group).setMaxConcurrency(limit));
    }

    @Override
    public boolean waits(QueueNode task) {
        AtomicBoolean found = new AtomicBoolean();
        task.group.show(waiting -> found.compareAndSet(false, waiting.equals(task)), flying -> {});
        return found.get();
    }

    @Override
    public Counts counts(int group) {
        GroupStats stats = groups.get(group).stats();
        return new Counts(stats.running(), stats.inFlight(), stats.waiting());
    }

    @Override
    public int out() {
        return shared.out(
                groups.stream().mapToInt(group -> group.stats().inFlight()).sum());
    }

    @Override
    public int waiting() {
        return shared.waiting(
                groups.stream().mapToInt(group -> group.stats().waiting()).sum());
    }
}

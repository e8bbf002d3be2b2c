package io.tidegate.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The permits as the contract states them: plain counts, and a search over all groups for the next one. */
class ReferenceGroups implements Bookkeeping<ReferenceGroups.Entry> {
    /** A task. */
    static final class Entry {
        final int group;
        final int number;
        long since;
        volatile boolean waiting;

        Entry(int group, int number) {
            this.group = group;
            this.number = number;
        }
    }

    /** A group; until it is served, it counts as served when it was made. */
    static final class Group {
        final Limits limits;
        final Deque<Entry> waiting = new ArrayDeque<>();
        int concurrency;
        int running;
        int inFlight;
        long served;

        Group(Limits limits, long made) {
            this.limits = limits;
            this.concurrency = limits.concurrency();
            this.served = made;
        }

        boolean hasRoom() {
            return running < concurrency && inFlight < limits.inFlight();
        }
    }

    private final int threshold;
    private final List<Group> groups = new ArrayList<>();
    private int limit;
    private long time;

    ReferenceGroups(int limit, int threshold, List<Limits> limits) {
        this.limit = limit;
        this.threshold = threshold;
        limits.forEach(one -> groups.add(new Group(one, ++time)));
    }

    @Override
    public Entry task(int group, int number) {
        return new Entry(group, number);
    }

    @Override
    public int number(Entry entry) {
        return entry.number;
    }

    @Override
    public GroupQueue.Admission admit(Entry entry) {
        if (mayStart(entry)) {
            start(entry);
            return GroupQueue.Admission.STARTED;
        }
        if (!mayWait(entry)) {
            boolean full =
                    queueLength(entry.group) >= groups.get(entry.group).limits.threshold();
            return full ? GroupQueue.Admission.REFUSED : GroupQueue.Admission.REFUSED_BY_ALL;
        }
        queue(entry);
        return GroupQueue.Admission.WAITING;
    }

    /** Makes the group, or makes it anew. */
    void make(int number) {
        Group group = groups.get(number);
        group.concurrency = group.limits.concurrency();
        group.served = ++time;
    }

    boolean mayStart(Entry entry) {
        Group group = groups.get(entry.group);
        return group.waiting.isEmpty() && group.hasRoom() && out() < limit;
    }

    boolean mayWait(Entry entry) {
        Group group = groups.get(entry.group);
        return queueLength(entry.group) < group.limits.threshold() && waiting() < threshold;
    }

    /** What a group's threshold bounds. */
    int queueLength(int group) {
        return groups.get(group).waiting.size();
    }

    void start(Entry entry) {
        Group group = groups.get(entry.group);
        group.running++;
        group.inFlight++;
        group.served = ++time;
    }

    void queue(Entry entry) {
        entry.waiting = true;
        entry.since = ++time;
        groups.get(entry.group).waiting.add(entry);
    }

    @Override
    public @Nullable Entry end(Entry entry) {
        giveBack(entry);
        return startNext();
    }

    void giveBack(Entry entry) {
        groups.get(entry.group).running--;
        groups.get(entry.group).inFlight--;
    }

    @Override
    public @Nullable Entry endBody(Entry entry) {
        groups.get(entry.group).running--;
        return startNext();
    }

    @Override
    public @Nullable Entry endFlight(Entry entry) {
        groups.get(entry.group).inFlight--;
        return startNext();
    }

    @Override
    public boolean withdraw(Entry entry) {
        boolean waited = entry.waiting;
        groups.get(entry.group).waiting.remove(entry);
        entry.waiting = false;
        return waited;
    }

    @Nullable
    Entry startNext() {
        Group next = null;
        for (Group group : groups) {
            boolean mayStart = !group.waiting.isEmpty() && group.hasRoom();
            if (mayStart && (next == null || isBefore(group, next))) {
                next = group;
            }
        }
        if (next == null || out() >= limit) {
            return null;
        }
        Entry started = next.waiting.removeFirst();
        started.waiting = false;
        start(started);
        return started;
    }

    boolean isBefore(Group one, Group other) {
        return one.served < other.served;
    }

    @Override
    public List<Entry> setLimit(int newLimit) {
        limit = newLimit;
        return startAll();
    }

    @Override
    public List<Entry> setConcurrency(int group, int newLimit) {
        groups.get(group).concurrency = newLimit;
        return startAll();
    }

    private List<Entry> startAll() {
        List<Entry> started = new ArrayList<>();
        for (Entry next = startNext(); next != null; next = startNext()) {
            started.add(next);
        }
        return started;
    }

    @Override
    public boolean waits(Entry entry) {
        return entry.waiting;
    }

    boolean isIdle(int group) {
        return groups.get(group).inFlight == 0 && groups.get(group).waiting.isEmpty();
    }

    @Override
    public Counts counts(int number) {
        Group group = groups.get(number);
        return new Counts(group.running, group.inFlight, group.waiting.size());
    }

    @Override
    public int out() {
        int sum = 0;
        for (Group group : groups) {
            sum += group.inFlight;
        }
        return sum;
    }

    @Override
    public int waiting() {
        int sum = 0;
        for (Group group : groups) {
            sum += group.waiting.size();
        }
        return sum;
    }
}

package io.tidegate.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The permits as the contract states them: plain counts, and a search over all groups for who is next. */
final class ReferenceLanes {
    record Limits(int concurrency, int inFlight, int threshold) {}

    /** A task. */
    static final class Entry {
        final int lane;
        final long since;
        boolean waiting;

        Entry(int lane, long since) {
            this.lane = lane;
            this.since = since;
        }
    }

    private static final class Group {
        final Limits limits;
        final Deque<Entry> waiting = new ArrayDeque<>();
        int running;
        int inFlight;

        Group(Limits limits) {
            this.limits = limits;
        }

        boolean hasRoom() {
            return running < limits.concurrency && inFlight < limits.inFlight;
        }
    }

    private final int limit;
    private final int threshold;
    private final List<Group> groups = new ArrayList<>();

    ReferenceLanes(int limit, int threshold, List<Limits> limits) {
        this.limit = limit;
        this.threshold = threshold;
        limits.forEach(one -> groups.add(new Group(one)));
    }

    Lane.Admission admit(Entry entry) {
        Group group = groups.get(entry.lane);
        if (group.waiting.isEmpty() && group.hasRoom() && out() < limit) {
            start(group);
            return Lane.Admission.STARTED;
        }
        if (group.waiting.size() >= group.limits.threshold || waiting() >= threshold) {
            return Lane.Admission.REFUSED;
        }
        entry.waiting = true;
        group.waiting.add(entry);
        return Lane.Admission.WAITING;
    }

    private static void start(Group group) {
        group.running++;
        group.inFlight++;
    }

    @Nullable
    Entry end(Entry entry) {
        groups.get(entry.lane).running--;
        return endFlight(entry);
    }

    @Nullable
    Entry endBody(Entry entry) {
        groups.get(entry.lane).running--;
        return startNext();
    }

    @Nullable
    Entry endFlight(Entry entry) {
        groups.get(entry.lane).inFlight--;
        return startNext();
    }

    void withdraw(Entry entry) {
        groups.get(entry.lane).waiting.remove(entry);
        entry.waiting = false;
    }

    private @Nullable Entry startNext() {
        Group next = null;
        for (Group group : groups) {
            Entry first = group.waiting.peekFirst();
            if (first != null && group.hasRoom() && (next == null || first.since < next.waiting.getFirst().since)) {
                next = group;
            }
        }
        if (next == null || out() >= limit) {
            return null;
        }
        Entry started = next.waiting.removeFirst();
        started.waiting = false;
        start(next);
        return started;
    }

    boolean isIdle(int lane) {
        return groups.get(lane).inFlight == 0 && groups.get(lane).waiting.isEmpty();
    }

    int running(int lane) {
        return groups.get(lane).running;
    }

    int inFlight(int lane) {
        return groups.get(lane).inFlight;
    }

    int waiting(int lane) {
        return groups.get(lane).waiting.size();
    }

    int out() {
        return groups.stream().mapToInt(group -> group.inFlight).sum();
    }

    int waiting() {
        return groups.stream().mapToInt(group -> group.waiting.size()).sum();
    }
}

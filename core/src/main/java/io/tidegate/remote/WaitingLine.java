package io.tidegate.remote;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waiting requests, first in, first out; and the expired requests whose owners have not asked since. Not
 * thread-safe.
 */
final class WaitingLine {
    /** Stands for the bounds of a queue that no request enters. */
    private static final BackpressurePolicy.Queue NONE = new BackpressurePolicy.Queue(0, Long.MAX_VALUE);

    private final BackpressurePolicy.Queue bounds;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Set<String> unreportedExpired = new LinkedHashSet<>();
    private long arrivals;
    private long earliestMs = Long.MAX_VALUE; // no entry is older than this; all may be younger

    /**
     * A request in the queue.
     *
     * @param arrival the number of the request among all that ever waited
     */
    record Entry(
            String requestId,
            long arrival,
            long enqueuedAtMs,
            @Nullable QueuedRequest waiter) {}

    WaitingLine(BackpressurePolicy policy) {
        this.bounds = policy instanceof BackpressurePolicy.Queue queue ? queue : NONE;
    }

    int depth() {
        return entries.size();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    boolean isFull() {
        return entries.size() >= bounds.maxDepth();
    }

    int maxDepth() {
        return bounds.maxDepth();
    }

    long timeoutMs() {
        return bounds.timeoutMs();
    }

    /** Adds a request and returns its position, from 1. */
    int add(String requestId, long nowMs, @Nullable QueuedRequest waiter) {
        earliestMs = entries.isEmpty() ? nowMs : Math.min(earliestMs, nowMs);
        arrivals++;
        entries.put(requestId, new Entry(requestId, arrivals, nowMs, waiter));
        return entries.size();
    }

    @Nullable
    Entry get(String requestId) {
        return entries.get(requestId);
    }

    @Nullable
    Entry remove(String requestId) {
        return entries.remove(requestId);
    }

    /** Returns whether the request waits and has not expired. */
    boolean waits(String requestId, long nowMs) {
        Entry entry = entries.get(requestId);
        return entry != null && !hasExpired(entry.enqueuedAtMs(), nowMs);
    }

    /** Returns the entry to be admitted next, or null. */
    @Nullable
    Entry head() {
        return entries.isEmpty() ? null : entries.values().iterator().next();
    }

    /** Returns the position of a waiting request, from 1. */
    int position(String requestId) {
        int position = 1;
        for (String other : entries.keySet()) {
            if (other.equals(requestId)) {
                break;
            }
            position++;
        }
        return position;
    }

    /** Removes all expired entries and returns them in queue order. */
    List<Entry> evict(long nowMs) {
        if (entries.isEmpty() || !hasExpired(earliestMs, nowMs)) {
            return List.of();
        }
        List<Entry> evicted = new ArrayList<>();
        earliestMs = Long.MAX_VALUE;
        for (Iterator<Entry> each = entries.values().iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            if (hasExpired(entry.enqueuedAtMs(), nowMs)) {
                each.remove();
                evicted.add(entry);
                remember(entry);
            } else {
                earliestMs = Math.min(earliestMs, entry.enqueuedAtMs());
            }
        }
        return evicted;
    }

    /** Returns how many requests have come to wait so far. */
    long arrivals() {
        return arrivals;
    }

    /** Removes all entries with a waiter up to this arrival and returns them in queue order. */
    List<Entry> removeUntil(long arrival) {
        List<Entry> removed = entries.values().stream()
                .filter(entry -> entry.waiter() != null && entry.arrival() <= arrival)
                .toList();
        removed.forEach(entry -> entries.remove(entry.requestId()));
        return removed;
    }

    /* Neither time is negative, so their difference does not overflow. */
    private boolean hasExpired(long enqueuedAtMs, long nowMs) {
        return nowMs - enqueuedAtMs >= bounds.timeoutMs();
    }

    private void remember(Entry evicted) {
        if (evicted.waiter() != null) {
            return; // the waiter is notified at once
        }
        unreportedExpired.add(evicted.requestId());
        if (unreportedExpired.size() > bounds.maxDepth()) {
            Iterator<String> oldest = unreportedExpired.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Returns whether this request has expired and its owner has not learnt that yet; true only once. */
    boolean reportExpired(String requestId) {
        return unreportedExpired.remove(requestId);
    }

    /** Returns how long until a request may expire; must not be called while the queue is empty. */
    long nextExpiryMs(long nowMs) {
        return Math.max(0, bounds.timeoutMs() - Math.max(0, nowMs - earliestMs));
    }
}

package io.tidegate.bench.lease;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A domain as a program would first write it: collections of the JDK and a monitor, without tokens, times and results.
 */
final class HashSetDomain {
    private final Set<Long> processed = new HashSet<>();
    private final Set<Long> queued = new HashSet<>();
    private final Queue<Long> backlog = new ArrayDeque<>();
    private @Nullable Long leased;

    /** Returns whether the offset is now leased to the caller. */
    synchronized boolean tryAcquire(long offset) {
        if (processed.contains(offset)) {
            return false;
        }
        if (leased != null) {
            if (leased != offset && queued.add(offset)) {
                backlog.add(offset);
            }
            return false;
        }
        Long head = backlog.peek();
        if (head != null) {
            if (head != offset) {
                return false;
            }
            backlog.remove();
            queued.remove(offset);
        }
        leased = offset;
        return true;
    }

    /** Ends the leased offset. Returns the head of the backlog, or null. */
    synchronized @Nullable Long succeed() {
        if (leased == null) {
            throw new IllegalStateException();
        }
        processed.add(leased);
        leased = null;
        return backlog.peek();
    }

    /** Keeps the heap from filling up during a benchmark. */
    synchronized void keepAtMost(int offsets) {
        if (processed.size() > offsets) {
            processed.clear();
        }
    }

    synchronized int waiting() {
        return backlog.size();
    }
}

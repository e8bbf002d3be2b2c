package io.tidegate.lease.runner;

import io.tidegate.lease.LeasedWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks attempts: at most one at a time in a domain, and always at the first offset that has arrived and is not done.
 */
final class RunLog {
    private final Map<String, Domain> domains = new HashMap<>();
    private final List<String> breaches = new ArrayList<>();
    private int undone;

    private static final class Domain {
        final List<Long> arrived = new ArrayList<>();
        final Set<Long> done = new HashSet<>();
        final Set<Long> parked = new TreeSet<>();
        int first;

        @Nullable
        Long running;

        @Nullable
        Long next() {
            while (first < arrived.size() && done.contains(arrived.get(first))) {
                first++;
            }
            return first < arrived.size() ? arrived.get(first) : null;
        }
    }

    private Domain domain(String id) {
        return domains.computeIfAbsent(id, unused -> new Domain());
    }

    /** Notes that an offset comes for the first time. */
    synchronized void arrived(String domainId, long offset) {
        domain(domainId).arrived.add(offset);
        undone++;
    }

    synchronized void began(LeasedWork work) {
        Domain domain = domain(work.domainId());
        Long next = domain.next();
        if (domain.running != null) {
            breaches.add(work + " begins while " + domain.running + " runs");
        } else if (next == null || next != work.offset()) {
            breaches.add(work + " begins, but it is the turn of " + next);
        }
        domain.running = work.offset();
    }

    synchronized void ended(LeasedWork work) {
        domain(work.domainId()).running = null;
    }

    synchronized void succeeded(LeasedWork work) {
        done(work);
    }

    synchronized void parked(LeasedWork work) {
        done(work);
        domain(work.domainId()).parked.add(work.offset());
    }

    private void done(LeasedWork work) {
        if (!domain(work.domainId()).done.add(work.offset())) {
            breaches.add(work + " is done twice");
        }
        undone--;
        notifyAll();
    }

    /** Notes that a parked offset is replayed: it is new work, at the tail. */
    synchronized void replayed(String domainId, long offset) {
        Domain domain = domain(domainId);
        domain.next();
        domain.parked.remove(offset);
        domain.done.remove(offset);
        domain.arrived.remove(offset);
        domain.first = 0;
        arrived(domainId, offset);
    }

    /** Notes that running attempts have died with their process. */
    synchronized void crashed() {
        domains.values().forEach(domain -> domain.running = null);
    }

    synchronized Set<Long> parked(String domainId) {
        return Set.copyOf(domain(domainId).parked);
    }

    synchronized List<String> breaches() {
        return List.copyOf(breaches);
    }

    synchronized int undone() {
        return undone;
    }

    /** Returns whether everything that has arrived is done in time. */
    synchronized boolean awaitDone(long limitMillis) throws InterruptedException {
        long end = System.nanoTime() + limitMillis * 1_000_000;
        for (long left = limitMillis; undone > 0 && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return undone == 0;
    }
}

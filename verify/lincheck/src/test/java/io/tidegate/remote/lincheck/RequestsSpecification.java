package io.tidegate.remote.lincheck;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** The answers of {@link Requests} if one thread does one operation after the other. */
public class RequestsSpecification {
    /*
     * A request asks and releases one at a time, under its own monitor, so that it knows of its permit; any thread may
     * cancel it meanwhile. Everything else belongs to the machine: each operation takes effect while it has the
     * machine's lock.
     */
    private final boolean[] admitted = new boolean[3];
    private final List<Waiting> queue = new ArrayList<>();
    private final Set<Integer> expired = new LinkedHashSet<>();
    private OptionalInt draining = OptionalInt.empty();
    private int cap = Requests.CAP;
    private int permits;

    private record Waiting(int request, int since) {}

    public String acquire(int request, int waits) {
        if (admitted[request]) {
            return "has its permit";
        }
        evict(waits);
        if (isKnown(request)) {
            return look(request);
        }
        if (draining.isPresent()) {
            return "RB_ERR_DRAINING";
        }
        if (inFlight() < cap && queue.isEmpty()) {
            return admit(request);
        }
        if (queue.size() == Requests.DEPTH) {
            return "RB_ERR_QUEUE_SATURATED";
        }
        queue.add(new Waiting(request, waits));
        return "RB_ERR_QUEUED";
    }

    public String poll(int request, int waits) {
        if (admitted[request]) {
            return "has its permit";
        }
        evict(waits);
        return isKnown(request) ? look(request) : "RB_ERR_UNKNOWN_REQUEST";
    }

    private void evict(int waits) {
        for (Waiting waiting : List.copyOf(queue)) {
            if (waits > waiting.since()) {
                queue.remove(waiting);
                expired.add(waiting.request());
            }
        }
        while (expired.size() > Requests.DEPTH) {
            expired.remove(expired.iterator().next());
        }
    }

    private boolean isKnown(int request) {
        return expired.contains(request) || isWaiting(request);
    }

    private boolean isWaiting(int request) {
        return queue.stream().anyMatch(waiting -> waiting.request() == request);
    }

    private String look(int request) {
        if (expired.remove(request)) {
            return "RB_ERR_QUEUE_TIMEOUT";
        }
        if (queue.get(0).request() == request && inFlight() < cap && draining.isEmpty()) {
            queue.remove(0);
            return admit(request);
        }
        return "RB_ERR_QUEUED";
    }

    private String admit(int request) {
        admitted[request] = true;
        permits++;
        return "permit " + permits + " of " + cap;
    }

    public boolean cancel(int request) {
        expired.remove(request);
        return queue.removeIf(waiting -> waiting.request() == request);
    }

    public boolean release(int request) {
        if (!admitted[request]) {
            return false;
        }
        admitted[request] = false;
        if (draining.isPresent() && inFlight() < draining.getAsInt()) {
            draining = OptionalInt.empty();
        }
        return true;
    }

    public void setMaxInFlight(int newCap) {
        if (newCap != cap) {
            cap = newCap;
            draining = inFlight() > newCap ? OptionalInt.of(newCap) : OptionalInt.empty();
        }
    }

    public int inFlight() {
        int count = 0;
        for (boolean each : admitted) {
            count += each ? 1 : 0;
        }
        return count;
    }

    public int queueDepth() {
        return queue.size();
    }

    public String drainingTarget() {
        return draining.toString();
    }
}

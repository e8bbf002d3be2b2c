package io.tidegate.lab.orders;

import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records what the workers do, and checks that the orders of each customer are done in order. */
final class OrderLog implements LeaseRunnerListener {
    /** How an attempt ended. */
    enum End {
        RUNNING,
        DONE,
        FAILED,
        CUT_OFF,
        PARKED;

        boolean isFinal() {
            return this == DONE || this == PARKED;
        }
    }

    /** One attempt at an order. */
    record Attempt(long order, End end) {}

    private final Map<String, List<Attempt>> attempts = new HashMap<>();
    private int overlaps;
    private int outOfTurn;

    @Override
    public synchronized void onStarted(LeasedWork work) {
        List<Attempt> own = own(work.domainId());
        if (own.stream().anyMatch(attempt -> attempt.end == End.RUNNING)) {
            overlaps++;
        }
        if (work.offset() != count(work.domainId(), End.DONE) + count(work.domainId(), End.PARKED) + 1) {
            outOfTurn++;
        }
        own.add(new Attempt(work.offset(), End.RUNNING));
    }

    @Override
    public void onSucceeded(LeasedWork work) {
        end(work, End.DONE);
    }

    @Override
    public void onRetryScheduled(LeasedWork work, Throwable error, Duration delay) {
        end(work, End.FAILED);
    }

    @Override
    public void onParked(LeasedWork work, Throwable error) {
        end(work, End.PARKED);
    }

    private synchronized void end(LeasedWork work, End end) {
        own(work.domainId())
                .replaceAll(attempt -> attempt.order == work.offset() && attempt.end == End.RUNNING
                        ? new Attempt(attempt.order, end)
                        : attempt);
    }

    /** Ends the running attempts, whose worker has died. */
    synchronized void died() {
        attempts.values()
                .forEach(own -> own.replaceAll(
                        attempt -> attempt.end == End.RUNNING ? new Attempt(attempt.order, End.CUT_OFF) : attempt));
    }

    private List<Attempt> own(String customer) {
        return attempts.computeIfAbsent(customer, unused -> new ArrayList<>());
    }

    /** Returns the attempts for a customer, in order. */
    synchronized List<Attempt> attempts(String customer) {
        return List.copyOf(own(customer));
    }

    /** Returns how many attempts at orders of a customer ended in this way. */
    synchronized long count(String customer, End end) {
        return own(customer).stream().filter(attempt -> attempt.end == end).count();
    }

    /** Returns how many attempts ended in this way. */
    synchronized long count(End end) {
        return attempts.keySet().stream()
                .mapToLong(customer -> count(customer, end))
                .sum();
    }

    /** Returns how often an order began while another of the same customer ran. */
    synchronized int overlaps() {
        return overlaps;
    }

    /** Returns how often an order began before an earlier one had ended, or after it had itself ended. */
    synchronized int outOfTurn() {
        return outOfTurn;
    }
}

package io.tidegate.lease.runner;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.WorkLease;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** A lease in memory that a test can put out of reach, or let answer as an engine would. */
final class ScriptedLease extends ForwardingLease {
    private final Queue<AcquireResult> answers = new ArrayDeque<>();
    private int failures;
    private int acquisitionFailures;
    private RuntimeException failure = new IllegalStateException();

    ScriptedLease(WorkLease lease) {
        super(lease);
    }

    /** Makes so many calls throw this, without any effect. */
    void fail(int times, RuntimeException failure) {
        failures = times;
        this.failure = failure;
    }

    /** Makes so many acquisitions throw this, without any effect. */
    void failToAcquire(int times, RuntimeException failure) {
        acquisitionFailures = times;
        this.failure = failure;
    }

    /** Sets the answers to the next acquisitions. */
    void answer(AcquireResult... answers) {
        this.answers.addAll(List.of(answers));
    }

    @Override
    void reach() {
        if (failures > 0) {
            failures--;
            throw failure;
        }
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        if (acquisitionFailures > 0) {
            acquisitionFailures--;
            throw failure;
        }
        if (answers.isEmpty()) {
            return super.tryAcquire(domainId, offset);
        }
        reach();
        return answers.remove();
    }
}

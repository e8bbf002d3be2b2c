package io.tidegate.lease;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** A lease in memory that can be away, or answer as an engine would. */
final class ScriptedLease extends ForwardingLease {
    private final Queue<AcquireResult> answers = new ArrayDeque<>();
    private int failures;
    private RuntimeException failure = new IllegalStateException();

    ScriptedLease(WorkLease lease) {
        super(lease);
    }

    /** So many calls throw this, and do nothing. */
    void fail(int times, RuntimeException failure) {
        failures = times;
        this.failure = failure;
    }

    /** The next acquisitions are answered so. */
    void answer(AcquireResult... answers) {
        this.answers.addAll(List.of(answers));
    }

    private void call() {
        if (failures > 0) {
            failures--;
            throw failure;
        }
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        call();
        return answers.isEmpty() ? super.tryAcquire(domainId, offset) : answers.remove();
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        call();
        return super.succeed(domainId, token);
    }

    @Override
    public FailResult fail(String domainId, String token) {
        call();
        return super.fail(domainId, token);
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        call();
        return super.inspect(domainId);
    }
}

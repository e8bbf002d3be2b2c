package io.tidegate.processes;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** {@link Twin#FINISH_IN_TWO_STEPS}: an engine that does not remember successes until a second step. */
final class TwoStepFinish extends ForwardingLease {
    interface SecondStep {
        void remember(String domainId, long offset);
    }

    /** The second step did not happen. */
    static final class Interrupted extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Interrupted(Exception cause) {
            super(cause);
        }
    }

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final SharedWorkLease lease;
    private final SecondStep secondStep;
    private final Map<String, Long> offsets;

    /**
     * Makes such an engine.
     *
     * @param offsets the offset of each token, which outlasts a connection
     */
    TwoStepFinish(SharedWorkLease lease, SecondStep secondStep, Map<String, Long> offsets) {
        this.lease = lease;
        this.secondStep = secondStep;
        this.offsets = offsets;
    }

    @Override
    <T> T ask(Function<SharedWorkLease, T> operation) {
        return operation.apply(lease);
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        SucceedResult result = lease.succeed(domainId, token);
        LockSupport.parkNanos(PAUSE.toNanos()); // as long as a garbage collection
        secondStep.remember(domainId, offsets.get(token));
        return result;
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
        return finishes.stream()
                .map(finish -> BatchAnswer.of(() -> succeed(finish.domainId(), finish.token())))
                .toList();
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        AcquireResult result = lease.tryAcquire(domainId, offset);
        keep(offset, result);
        return result;
    }

    @Override
    public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
        return offers.stream()
                .map(offer -> BatchAnswer.of(() -> tryAcquire(offer.domainId(), offer.offset())))
                .toList();
    }

    private void keep(long offset, AcquireResult result) {
        if (result instanceof AcquireResult.Acquired acquired) {
            offsets.put(acquired.token(), offset);
        } else if (result instanceof AcquireResult.AlreadyAcquired already) {
            offsets.put(already.token(), offset);
        }
    }
}

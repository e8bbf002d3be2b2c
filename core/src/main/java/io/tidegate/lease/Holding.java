package io.tidegate.lease;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lease on an engine while a runner has it: prolongs it in time, and numbers the failures told with its token. */
final class Holding implements Runnable {
    /** So often within its duration is a lease prolonged, lest one call that is lost or late costs it. */
    private static final int RENEWALS = 3;

    private static final int UNKNOWN = -1;

    private final SharedWorkLease lease;
    private final String domainId;
    private final String token;
    private final ScheduledExecutorService scheduler;
    private final Consumer<Throwable> errors;

    /** Failures that the engine has heard of; known to whose turn it is. */
    private int failures;

    private volatile boolean over;
    private volatile @Nullable Future<?> timer;

    Holding(SharedWorkLease lease, LeasedWork work, ScheduledExecutorService scheduler, Consumer<Throwable> errors) {
        this.lease = lease;
        this.domainId = work.domainId();
        this.token = work.token();
        this.failures = work.retryCount() == 0 ? 0 : UNKNOWN; // may have been told by another runner
        this.scheduler = scheduler;
        this.errors = errors;
    }

    boolean isOf(LeasedWork work) {
        return token.equals(work.token());
    }

    /** Prolongs the lease when it is time, again and again until the end. */
    void renewInTime() {
        Duration pause = lease.leaseDuration().dividedBy(RENEWALS);
        try {
            timer = scheduler.schedule(this, Math.max(1, Exponential.nanos(pause)), TimeUnit.NANOSECONDS);
        } catch (Throwable refused) {
            errors.accept(refused);
        }
        if (over) {
            end();
        }
    }

    @Override
    public void run() {
        if (over) {
            return;
        }
        try {
            lease.renew(domainId, token);
        } catch (TokenMismatchException | LeaseNotFoundException lost) {
            return; // the attempt is told when it ends
        } catch (Throwable away) {
            errors.accept(away);
        }
        renewInTime();
    }

    FailResult fail() {
        if (failures == UNKNOWN) {
            return lease.fail(domainId, token);
        }
        FailResult result = lease.fail(domainId, token, failures + 1);
        failures++;
        return result;
    }

    void end() {
        over = true;
        Future<?> set = timer;
        if (set != null) {
            set.cancel(false);
        }
    }
}

package io.tidegate.guard;

import io.tidegate.gate.Gate;
import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.RetryPolicy;
import io.tidegate.gate.WaitingGate;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadException;
import io.tidegate.stage.Stages;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call on the thread of its caller, through layers that may wait. Each layer is a frame on the stack. */
final class SyncCall<T> {
    private final LayeredGuard guard;
    private final Callable<? extends T> call;

    /** The thread's deadline: that of the innermost time limit around the call, if there is one. */
    private @Nullable Deadline deadline;

    /** How many time limits of this guard are around the call at present. */
    private short limits;

    /** Whether the call itself was made in the present attempt. */
    private boolean ran;

    /** Whether listeners were notified of a refusal of the present attempt. */
    private boolean notified;

    /** Whether a limit had fired before the present attempt ended with an error. */
    private boolean late;

    SyncCall(LayeredGuard guard, Callable<? extends T> call) {
        this.guard = guard;
        this.call = call;
        this.deadline = Deadline.OF_THREAD.get();
    }

    T run() throws Exception {
        ThreadCounts.ThreadCount own = guard.counts.ofThread();
        long began = guard.counts.began(own);
        T value;
        try {
            value = from(0);
        } catch (Throwable thrown) {
            tellRefused(thrown);
            guard.counts.failed(thrown, this, began);
            throw thrown;
        }
        guard.counts.succeeded(value, began, own);
        return value;
    }

    private void tellRefused(Throwable error) {
        if (!notified) {
            notified = true;
            guard.counts.refused(error);
        }
    }

    private T from(int i) throws Exception {
        if (i == guard.layers.length) {
            return make();
        }
        Layer layer = guard.layers[i];
        if (layer instanceof Layer.Immediate immediate) {
            return through(i, immediate.gate(), LayeredGuard.enter(immediate.gate()));
        } else if (layer instanceof Layer.TimeLimit timed) {
            return within(i, timed);
        } else if (layer instanceof Layer.LiveTimeLimit live) {
            return within(i, live.present());
        } else if (layer instanceof Layer.Retrying retrying) {
            return repeat(i, retrying);
        } else if (layer instanceof Layer.Waiting waiting) {
            return through(i, waiting.gate(), await(waiting.gate()));
        } else {
            return remote(i, (Layer.Remote) layer);
        }
    }

    /* The end of the call decides what the limits report: see SyncTimeLimit. */
    private T make() throws Exception {
        try {
            return call.call();
        } finally {
            ran = true;
            SyncTimeLimit.hold(deadline, limits);
        }
    }

    // Gates

    private T through(int i, Gate gate, long stamp) throws Exception {
        T value;
        try {
            value = from(i + 1);
        } catch (Throwable thrown) {
            gate.leave(stamp, null, thrown, verdict(thrown));
            throw thrown;
        }
        gate.leave(stamp, value, null, SyncTimeLimit.hasFired(deadline, limits) ? Verdict.FAILED : Verdict.JUDGED);
        return value;
    }

    private Verdict verdict(Throwable error) {
        boolean timedOut = error instanceof TimeLimitExceededException limited && limited.isFor(this);
        if (timedOut || late || SyncTimeLimit.hasFired(deadline, limits)) {
            return Verdict.FAILED;
        }
        return ran ? Verdict.JUDGED : Verdict.UNJUDGED;
    }

    // Limits

    private T within(int i, Layer.TimeLimit layer) throws Exception {
        Deadline outer = deadline;
        SyncTimeLimit limit = new SyncTimeLimit(guard.time.nanos() + layer.nanos(), outer);
        T value;
        enter(limit);
        try {
            guard.time.set(limit, layer.nanos());
            value = from(i + 1);
        } catch (Throwable thrown) {
            if (leave(limit, outer, thrown)) {
                late = true;
                if (!(Stages.bare(thrown) instanceof Error)) {
                    throw new TimeLimitExceededException(guard.name, layer.limit(), this, thrown);
                }
            }
            throw thrown;
        }
        if (leave(limit, outer, null)) {
            throw new TimeLimitExceededException(guard.name, layer.limit(), this, null);
        }
        return value;
    }

    private void enter(SyncTimeLimit limit) {
        deadline = limit;
        limits++;
        Deadline.OF_THREAD.set(limit);
    }

    private boolean leave(SyncTimeLimit limit, @Nullable Deadline outer, @Nullable Throwable error) {
        deadline = outer;
        limits--;
        Deadline.OF_THREAD.set(outer);
        guard.time.callOff(limit);
        return limit.leave(error);
    }

    // Retries

    private T repeat(int i, Layer.Retrying layer) throws Exception {
        RetryPolicy policy = layer.policy();
        layer.onFirst();
        for (int attempt = 1; ; attempt++) {
            T value;
            ran = false;
            notified = false;
            late = false;
            try {
                value = from(i + 1);
            } catch (Throwable thrown) {
                tellRefused(thrown);
                if (mayTryAgain(policy, attempt, null, thrown)) {
                    continue;
                }
                throw thrown;
            }
            if (!mayTryAgain(policy, attempt, value, null)) {
                return value;
            }
        }
    }

    /** Returns whether another attempt follows; first makes the pause before it. */
    private boolean mayTryAgain(RetryPolicy policy, int attempt, @Nullable T value, @Nullable Throwable error)
            throws InterruptedException {
        if (!SyncTimeLimit.hold(deadline, limits)) {
            return false;
        }
        long delay = guard.pauseAfter(policy, attempt, value, error, deadline);
        if (delay < 0) {
            return false;
        }
        guard.counts.retryPlanned(attempt + 1, error, delay);
        if (delay > 0) {
            boolean judged = ran;
            boolean wasLate = late;
            ran = false; // an interrupt of the pause says nothing about the callee, even after a late attempt
            late = false;
            guard.time.pause(delay);
            ran = judged;
            late = wasLate;
        }
        boolean comes = SyncTimeLimit.resume(deadline, limits);
        if (comes) {
            guard.counts.retried();
        }
        return comes;
    }

    // Waits

    private long await(WaitingGate gate) throws InterruptedException {
        ThreadInLine waiter = new ThreadInLine();
        long stamp = gate.enter(waiter, Deadline.left(deadline, guard.time.nanos()));
        if (stamp == WaitingGate.WAITS) {
            try {
                waiter.await(gate);
            } catch (InterruptedException interrupted) {
                SyncTimeLimit.hold(deadline, limits); // the call is over
                throw interrupted;
            }
            return 0;
        }
        if (stamp < 0) {
            throw gate.refusal(stamp);
        }
        return stamp;
    }

    /** A thread that parks until the gate admits it. */
    private static final class ThreadInLine extends AtomicInteger implements WaitingGate.Waiter {
        private static final long serialVersionUID = 1L;
        private static final int WAITING = 0;
        private static final int ADMITTED = 1;
        private static final int GONE = 2;

        private final transient Thread thread = Thread.currentThread();

        @Override
        public boolean admit() {
            return compareAndSet(WAITING, ADMITTED);
        }

        @Override
        public void run() {
            LockSupport.unpark(thread);
        }

        void await(WaitingGate gate) throws InterruptedException {
            while (get() == WAITING) {
                LockSupport.park(this);
                if (thread.isInterrupted() && compareAndSet(WAITING, GONE)) {
                    gate.giveUp(this);
                    Thread.interrupted();
                    throw new InterruptedException();
                }
            }
        }
    }

    private T remote(int i, Layer.Remote layer) throws Exception {
        String request = guard.nextRequestId();
        ThreadPass pass = new ThreadPass();
        CompletableFuture<?> admission =
                layer.client().submit(layer.capability(), request, () -> pass).toCompletableFuture();
        BulkheadException tooLate = new BulkheadException(new BulkheadError.QueueTimeout(request), layer.name());
        try {
            pass.await(admission, deadline, guard.time, tooLate);
        } catch (InterruptedException interrupted) {
            SyncTimeLimit.hold(deadline, limits); // the call is over
            throw interrupted;
        }
        T value;
        try {
            value = from(i + 1);
        } catch (Throwable thrown) {
            pass.completeExceptionally(thrown);
            throw thrown;
        }
        pass.complete(null);
        return value;
    }

    /** A thread that parks until the remote bulkhead admits it. */
    private static final class ThreadPass extends RemotePass {
        private static final long A_MOMENT_NANOS = 1_000_000;

        private final Thread thread = Thread.currentThread();
        private volatile boolean admitted;

        @Override
        void admitted() {
            admitted = true;
            LockSupport.unpark(thread);
        }

        /** @param late the exception to throw if the thread's deadline comes first */
        @SuppressWarnings("FutureReturnValueIgnored") // the registered action does not throw
        void await(CompletableFuture<?> admission, @Nullable Deadline deadline, Time time, BulkheadException late)
                throws Exception {
            if (admitted) {
                return;
            }
            admission.whenComplete((value, error) -> LockSupport.unpark(thread));
            while (!admitted) {
                if (admission.isDone()) {
                    throw Stages.<Exception>rethrow(errorOf(admission));
                }
                if (Thread.interrupted()) {
                    giveUp(admission);
                    throw new InterruptedException();
                }
                long left = Deadline.left(deadline, time.nanos());
                boolean interruptComes = deadline instanceof SyncTimeLimit limit && limit.isAboutToFire();
                if (left == 0 && !interruptComes) {
                    giveUp(admission);
                    throw late;
                }
                LockSupport.parkNanos(this, Math.max(left, A_MOMENT_NANOS));
            }
        }

        private void giveUp(CompletableFuture<?> admission) {
            admission.cancel(false);
            cancel(false); // if it was admitted meanwhile
        }

        private static Throwable errorOf(CompletableFuture<?> admission) {
            try {
                admission.join();
                return new IllegalStateException("permit: given back (expected: held until the call has ended)");
            } catch (Throwable failed) {
                Throwable error = Stages.bare(failed);
                return error == null ? failed : error;
            }
        }
    }
}

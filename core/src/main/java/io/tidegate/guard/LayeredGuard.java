package io.tidegate.guard;

import static java.util.Objects.requireNonNull;

import io.tidegate.Idle;
import io.tidegate.Overload;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Refusal;
import io.tidegate.gate.Gate;
import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.Refusals;
import io.tidegate.gate.RetryPolicy;
import io.tidegate.retry.RetryBudget;
import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import io.tidegate.time.Nanos;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A guard: its layers in an array. Calls go through them by {@link SyncCall} and {@link GuardSubmission}. */
final class LayeredGuard implements Guard, Idle {
    /*
     * Most guards have only gates at which no call waits. Their calls need no object of their own: each gate's stamp is
     * on the stack, in the frame that entered the gate. On this path a refusal that is not wrapped comes from one of
     * the guard's own gates, and the call did not run. A refusal that the call throws is wrapped until it has passed
     * all gates, so that gates can tell the two apart.
     */
    private static final AtomicLong REQUESTS = new AtomicLong();

    final String name;
    final Layer[] layers;
    final CallCounts counts;
    final Time time;
    private final Gate @Nullable [] gatesOnly;
    final boolean hasHedge;
    final boolean hasRemote;
    final boolean hasWaits;

    LayeredGuard(GuardBuilder settings) {
        this.name = settings.name;
        this.layers = settings.layers.toArray(Layer[]::new);
        this.counts = new CallCounts(settings);
        this.time = settings.time;
        this.gatesOnly = gatesOnly(settings.layers);
        this.hasHedge = has(Layer.Hedging.class);
        this.hasRemote = has(Layer.Remote.class);
        this.hasWaits = gatesOnly == null;
    }

    private boolean has(Class<? extends Layer> kind) {
        return Arrays.stream(layers).anyMatch(kind::isInstance);
    }

    private static Gate @Nullable [] gatesOnly(List<Layer> layers) {
        boolean all = layers.stream().allMatch(Layer.Immediate.class::isInstance);
        return all
                ? layers.stream().map(layer -> ((Layer.Immediate) layer).gate()).toArray(Gate[]::new)
                : null;
    }

    // Calls on the caller's thread

    @Override
    public <T> T call(Callable<? extends T> call) throws Exception {
        requireCallable(call);
        if (gatesOnly != null) {
            StackRoom.require(); // so that a gate that was entered can be left
            return callThrough(gatesOnly, call);
        }
        StackRoom.requireTwice();
        return new SyncCall<T>(this, call).run();
    }

    private void requireCallable(Callable<?> call) {
        requireNonNull(call, "call");
        if (hasHedge) {
            throw new IllegalStateException("call: on guard '" + name + "' with a hedge (expected: submit)");
        }
    }

    private <T> T callThrough(Gate[] gates, Callable<? extends T> call) throws Exception {
        ThreadCounts.ThreadCount own = counts.ofThread();
        long began = counts.began(own);
        T value;
        try {
            value = gates.length == 2 ? callThroughBoth(gates[0], gates[1], call) : callFrom(gates, 0, call);
        } catch (Throwable thrown) {
            Throwable error = thrown instanceof CallRefused refused ? refused.error : thrown;
            counts.refused(error);
            counts.failed(error, this, began);
            throw Stages.<Exception>rethrow(error);
        }
        counts.succeeded(value, began, own);
        return value;
    }

    /*
     * The path for two gates. Each call in this method mostly goes to one class of gate, so the compiler can inline it.
     */
    private static <T> T callThroughBoth(Gate outer, Gate inner, Callable<? extends T> call) throws Exception {
        long outerStamp = outer.enter();
        if (outerStamp < 0) {
            throw outer.refusal(outerStamp);
        }
        T value;
        try {
            long innerStamp = inner.enter();
            if (innerStamp < 0) {
                throw inner.refusal(innerStamp);
            }
            try {
                value = CallRefused.wrappingRefusals(call);
            } catch (Throwable thrown) {
                leave(inner, innerStamp, thrown);
                throw thrown;
            }
            inner.leave(innerStamp, value, null, Verdict.JUDGED);
        } catch (Throwable thrown) {
            leave(outer, outerStamp, thrown);
            throw thrown;
        }
        outer.leave(outerStamp, value, null, Verdict.JUDGED);
        return value;
    }

    private static <T> T callFrom(Gate[] gates, int i, Callable<? extends T> call) throws Exception {
        if (i == gates.length) {
            return CallRefused.wrappingRefusals(call);
        }
        long stamp = enter(gates[i]);
        T value;
        try {
            value = callFrom(gates, i + 1, call);
        } catch (Throwable thrown) {
            leave(gates[i], stamp, thrown);
            throw thrown;
        }
        gates[i].leave(stamp, value, null, Verdict.JUDGED);
        return value;
    }

    static long enter(Gate gate) {
        long stamp = gate.enter();
        if (stamp < 0) {
            throw gate.refusal(stamp);
        }
        return stamp;
    }

    private static void leave(Gate gate, long stamp, Throwable thrown) {
        if (thrown instanceof CallRefused refused) {
            gate.leave(stamp, null, refused.error, Verdict.JUDGED);
        } else {
            gate.leave(stamp, null, thrown, thrown instanceof Refusal ? Verdict.UNJUDGED : Verdict.JUDGED);
        }
    }

    @Override
    public <T> T call(Callable<? extends T> call, Function<? super Throwable, ? extends T> fallback)
            throws InterruptedException {
        requireNonNull(fallback, "fallback");
        requireCallable(call);
        Exception error;
        try {
            return call(call);
        } catch (Exception thrown) {
            error = thrown;
        }
        Throwable bare = Stages.bare(error);
        if (bare instanceof Error || bare instanceof InterruptedException) {
            throw Stages.<InterruptedException>rethrow(error);
        }
        return fallback.apply(error);
    }

    @Override
    public <T> Outcome<T> attempt(Callable<? extends T> call) {
        requireCallable(call);
        Exception error;
        try {
            return new Outcome.Success<>(call(call));
        } catch (Exception thrown) {
            error = thrown;
        }
        if (Stages.bare(error) instanceof Error) {
            throw Stages.<RuntimeException>rethrow(error);
        }
        if (Stages.bare(error) instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        Refusal refusal = Refusals.find(error);
        return refusal == null ? new Outcome.Failure<>(error) : new Outcome.Refused<>(refusal);
    }

    // Operations

    @Override
    public <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation) {
        requireNonNull(operation, "operation");
        StackRoom.requireTwice();
        GuardSubmission<T> submission = new GuardSubmission<>(this, operation);
        submission.start();
        return submission;
    }

    /** The index of the first retry or hedge from this layer on; the number of layers if there is none. */
    int end(int from) {
        int end = from;
        while (end < layers.length
                && !(layers[end] instanceof Layer.Retrying)
                && !(layers[end] instanceof Layer.Hedging)) {
            end++;
        }
        return end;
    }

    /** Whether one of these layers may keep a permit for as long as an operation runs. */
    boolean binds(int from, int to) {
        for (int i = from; i < to; i++) {
            if (layers[i] instanceof Layer.Remote
                    || (layers[i] instanceof Layer.Immediate immediate
                            && immediate.gate().bindsToOperation())) {
                return true;
            }
        }
        return false;
    }

    // For both kinds of calls

    String nextRequestId() {
        return name + "#" + REQUESTS.incrementAndGet();
    }

    /**
     * How long to pause before the next attempt; negative if there is none.
     *
     * @param attempts how many attempts were made so far
     */
    long pauseAfter(
            RetryPolicy policy,
            int attempts,
            @Nullable Object value,
            @Nullable Throwable error,
            @Nullable Deadline deadline) {
        if (attempts >= policy.maxAttempts() || !isWorthAnother(policy, value, error)) {
            return RetryPolicy.NO_DELAY;
        }
        long delay = policy.delayNanos(attempts);
        if (delay < 0) {
            return RetryPolicy.NO_DELAY;
        }
        delay = Math.max(delay, retryAfter(error));
        boolean inTime = delay < Deadline.left(deadline, time.nanos());
        return inTime && policy.tryRetry() ? delay : RetryPolicy.NO_DELAY;
    }

    /** The pause that a refusal or an overloaded callee asks for; 0 if a user's implementation throws. */
    private static long retryAfter(@Nullable Throwable error) {
        try {
            if (Stages.bare(error) instanceof Overload overload) {
                return Nanos.of(overload.retryAfter());
            }
            Refusal refusal = Refusals.find(error);
            return refusal == null ? 0 : Nanos.of(refusal.retryAfter());
        } catch (Throwable broken) {
            Stages.keepInterrupt(broken);
            return 0;
        }
    }

    private static boolean isWorthAnother(RetryPolicy policy, @Nullable Object value, @Nullable Throwable error) {
        Throwable bare = Stages.bare(error);
        if (bare == null) {
            return policy.retriesResult(value);
        }
        boolean never =
                bare instanceof Error || bare instanceof InterruptedException || bare instanceof CancellationException;
        return !never && policy.retries(bare);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Part> parts() {
        return Arrays.stream(layers)
                .map(Layer::part)
                .filter(Part.class::isInstance)
                .map(Part.class::cast)
                .distinct()
                .toList();
    }

    @Override
    public List<GuardLayer> layers() {
        return Arrays.stream(layers).map(Layer::shown).toList();
    }

    @Override
    public void read(Reading to) {
        Guard.super.read(to);
        counts.read(to);
        Arrays.stream(layers)
                .map(Layer::budget)
                .filter(RetryBudget.class::isInstance)
                .mapToDouble(budget -> available((RetryBudget) budget))
                .min()
                .ifPresent(available -> to.gauge("budget", available));
    }

    private static double available(RetryBudget budget) {
        try {
            return budget.available();
        } catch (RuntimeException broken) { // a budget may be user code
            return Double.NaN;
        }
    }

    @Override
    public GuardStats stats() {
        return counts.stats();
    }

    @Override
    public boolean isIdle() {
        if (stats().inFlight() != 0) {
            return false;
        }
        for (Layer layer : layers) {
            if (layer.part() instanceof Idle idle && !idle.isIdle()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return "Guard(" + name + ", " + stats().inFlight() + " in flight)";
    }

    /** Wraps a refusal that the call has thrown, on its way through the gates. */
    private static final class CallRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final Throwable error;

        private CallRefused(Throwable error) {
            super(null, null, false, false);
            this.error = error;
        }

        static <T> T wrappingRefusals(Callable<? extends T> call) throws Exception {
            try {
                return call.call();
            } catch (Throwable thrown) {
                if (thrown instanceof Refusal) {
                    throw new CallRefused(thrown);
                }
                throw thrown;
            }
        }
    }
}

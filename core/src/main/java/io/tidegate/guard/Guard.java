package io.tidegate.guard;

import io.tidegate.Backoff;
import io.tidegate.HolderWatch;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.retry.Hedge;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Puts parts around a call, in a fixed order, and ensures that each is entered and left exactly once, however the call
 * ends.
 *
 * <pre>{@code
 * Guard guard = Guard.standard("inventory");
 * Stock stock = guard.call(() -> inventory.stockOf(article));
 * }</pre>
 *
 * <p>A layer that refuses ends the attempt: the call does not run, and the layers outside it are left at once. A
 * refusal is the part's own exception, and a {@link Refusal}. Breakers never count a refusal, and always count a call
 * that a time limit ended.
 *
 * <p>Safe for use by many threads. Parts may be in many guards and also be used directly; a call through one guard may
 * call through another guard, or through the same one again. User code runs with no lock held.
 */
public interface Guard extends Part {
    /** The limit of {@link #standard} on all attempts together, in seconds: {@value}. */
    int STANDARD_TIME_LIMIT_SECONDS = 30;

    /** The most attempts of {@link #standard}: {@value}. */
    int STANDARD_MAX_ATTEMPTS = 3;

    /** The ceiling of the first pause of {@link #standard}, in milliseconds: {@value}. */
    int STANDARD_FIRST_DELAY_MILLIS = 100;

    /** The highest ceiling of a pause of {@link #standard}, in seconds: {@value}. */
    int STANDARD_MAX_DELAY_SECONDS = 10;

    /** How many retries each first attempt of {@link #standard} earns: {@value}. */
    double STANDARD_RETRY_RATIO = 0.2;

    /** How many more retries {@link #standard} allows every second: {@value}. */
    int STANDARD_RETRIES_PER_SECOND = 10;

    /** The share of failures above which the breaker of {@link #standard} opens: {@value}. */
    double STANDARD_FAILURE_RATE = 0.5;

    /** How many calls the breaker of {@link #standard} must have counted before it opens: {@value}. */
    int STANDARD_MINIMUM_CALLS = 20;

    /** Over how many seconds the breaker of {@link #standard} counts: {@value}. */
    int STANDARD_WINDOW_SECONDS = 30;

    /** How many seconds the breaker of {@link #standard} stays open at first: {@value}. */
    int STANDARD_OPEN_SECONDS = 5;

    /** How many seconds the breaker of {@link #standard} stays open at most: {@value}. */
    int STANDARD_MAX_OPEN_SECONDS = 60;

    /** The most calls in flight of {@link #standard}: {@value}. */
    int STANDARD_MAX_IN_FLIGHT = 256;

    /** The limit of {@link #standard} on each attempt, in seconds: {@value}. */
    int STANDARD_ATTEMPT_LIMIT_SECONDS = 10;

    /**
     * What most calls need, outermost first: a time limit on the whole call; retries with backoff and a budget; a
     * breaker; a bulkhead; a time limit on each attempt. Breaker and bulkhead have the guard's name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    static Guard standard(String name) {
        return builder(name)
                .timeLimit(Duration.ofSeconds(STANDARD_TIME_LIMIT_SECONDS))
                .retry(Retry.builder()
                        .maxAttempts(STANDARD_MAX_ATTEMPTS)
                        .backoff(Backoff.exponential(
                                Duration.ofMillis(STANDARD_FIRST_DELAY_MILLIS),
                                Duration.ofSeconds(STANDARD_MAX_DELAY_SECONDS)))
                        .budget(RetryBudget.of(STANDARD_RETRY_RATIO, STANDARD_RETRIES_PER_SECOND))
                        .build())
                .breaker(CircuitBreaker.builder(name)
                        .failureRate(STANDARD_FAILURE_RATE, STANDARD_MINIMUM_CALLS)
                        .slidingWindow(Duration.ofSeconds(STANDARD_WINDOW_SECONDS))
                        .timeout(Duration.ofSeconds(STANDARD_OPEN_SECONDS))
                        .openBackoff(2, Duration.ofSeconds(STANDARD_MAX_OPEN_SECONDS))
                        .build())
                .bulkhead(
                        AsyncBulkhead.builder(STANDARD_MAX_IN_FLIGHT).name(name).build())
                .timeLimit(Duration.ofSeconds(STANDARD_ATTEMPT_LIMIT_SECONDS))
                .build();
    }

    /**
     * Returns a builder of a guard. A guard without layers is allowed and adds nothing.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    static Builder builder(String name) {
        return new GuardBuilder(name);
    }

    /**
     * Makes a call on this thread. Its value or exception, the same instance, reaches the caller.
     *
     * <p>A pause or a wait that is interrupted ends the call with {@link InterruptedException}. A thread that is
     * already interrupted still makes a call that need not wait.
     *
     * <p>At a time limit this thread is interrupted, and when the call then ends, {@link TimeLimitExceededException} is
     * thrown. That interrupt is gone by then. An interrupt of the caller's own, from before the limit, stays; one that
     * comes between the limit and the end of the call cannot be distinguished from the limit's, and is cleared with it.
     *
     * @throws IllegalStateException if the guard has a hedge, which works with {@link #submit} only
     * @throws Exception what the call throws, or the exception of the part that refused
     */
    <T> T call(Callable<? extends T> call) throws Exception;

    /**
     * As {@link #call(Callable)}, with an answer for a failure or refusal. The fallback runs once, after every layer
     * was left, and not for an {@link Error} or an interrupt. What it throws reaches the caller.
     */
    <T> T call(Callable<? extends T> call, Function<? super Throwable, ? extends T> fallback)
            throws InterruptedException;

    /**
     * Makes an asynchronous call. Never blocks, and throws only for {@code null}.
     *
     * <p>First attempts run the supplier on this thread; those after a pause or a wait run it on threads of the library
     * or, after a wait for a remote bulkhead, on its client's executor.
     *
     * <p>Ending the returned stage from outside, as by {@code cancel}, {@code complete} or {@code orTimeout}, ends the
     * submission: no further attempt starts, a wait is given up, permits follow their lifetime. If it ends with an
     * error, the rules of breakers decide; if it is cancelled or ends with a value, they count nothing. The operation
     * itself is not cancelled.
     *
     * @return a {@link java.util.concurrent.CompletableFuture}, never {@code null}; refusals are not wrapped
     */
    <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation);

    /**
     * As {@link #call(Callable)}, with the outcome as a value. Throws {@link Error}s only. An interrupt is in the
     * outcome, and the thread stays interrupted.
     */
    <T> Outcome<T> attempt(Callable<? extends T> call);

    /** Returns the name. */
    @Override
    String name();

    /** Returns {@code "guard"}. */
    @Override
    default String kind() {
        return "guard";
    }

    @Override
    default void read(Reading to) {
        GuardStats stats = stats();
        to.gauge("in.flight", stats.inFlight());
        to.count("calls", stats.calls());
        to.count("ended", stats.successes(), "outcome", "success");
        to.count("ended", stats.failures(), "outcome", "failure");
        to.count("ended", stats.refusals(), "outcome", "refused");
        to.count("ended", stats.timeouts(), "outcome", "timeout");
        to.count("ended", stats.cancelled(), "outcome", "cancelled");
        to.count("retries", stats.retries());
        to.count("hedges", stats.hedges());
    }

    /** Returns the parts among its layers, outermost first, each once. */
    default List<Part> parts() {
        return List.of();
    }

    /** Returns the layers, outermost first. */
    default List<GuardLayer> layers() {
        return List.of();
    }

    /** Returns the counts so far. */
    GuardStats stats();

    /**
     * Layers of a new guard, outermost first, in the order written. A kind may be given more than once. A part that was
     * not made by the library causes an {@link IllegalArgumentException}. Not thread-safe.
     */
    interface Builder {
        /**
         * Ends what is inside it after {@code limit}.
         *
         * @throws IllegalArgumentException if that is not positive
         */
        Builder timeLimit(Duration limit);

        /**
         * As {@link #timeLimit(Duration)}, with a limit that may change while the guard is in use. The supplier is
         * asked now, and whenever a call or an attempt reaches this layer, on that thread, so it should only look
         * something up. A limit that is under way does not change. If the supplier throws, or its answer is null or not
         * positive, the last good answer stands.
         *
         * @throws IllegalArgumentException if the limit is not positive now
         * @throws NullPointerException if it is null now
         */
        Builder liveTimeLimit(Supplier<Duration> limit);

        /** Retries what is inside it; nothing inside it is held during a pause. */
        Builder retry(Retry retry);

        /** Starts a second attempt of what is inside it, beside a slow one; for {@link Guard#submit} only. */
        Builder hedge(Hedge hedge);

        /** Asks for a permit, and waits for it if the limiter lets calls wait. */
        Builder rateLimit(RateLimiter limiter);

        /** Enters a breaker. */
        Builder breaker(CircuitBreaker breaker);

        /** Takes a permit of a bulkhead. */
        Builder bulkhead(AsyncBulkhead bulkhead);

        /**
         * Takes a permit of a remote bulkhead or a cluster bulkhead, and waits in its queue if the policy says so.
         * Requests are named after the guard, each with a unique name.
         */
        Builder bulkhead(RemoteBulkheadClient client, RemoteCapability capability);

        /** Notifies {@code listener} of what the guard does, after those given before. */
        Builder listener(GuardListener listener);

        /**
         * Warns of calls that are in flight for longer than this: {@link #watch(HolderWatch)} with {@link
         * HolderWatch#olderThan}. Default: off, which costs nothing.
         *
         * @throws IllegalArgumentException if the time is not positive
         */
        default Builder watchHolders(Duration olderThan) {
            return watch(HolderWatch.olderThan(olderThan));
        }

        /** Records which calls are in flight and since when, and reports those in flight for too long. */
        Builder watch(HolderWatch watch);

        /** Returns the guard. */
        Guard build();
    }
}

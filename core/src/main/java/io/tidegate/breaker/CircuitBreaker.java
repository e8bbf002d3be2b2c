package io.tidegate.breaker;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stops calling what keeps failing. Closed, it lets calls through and counts how they end; when too many fail, it opens
 * and refuses; after a while it lets a few probes through, and their outcomes close it or open it again.
 *
 * <p>A call belongs to the period, between two state changes, that admitted it. Its outcome counts there or nowhere: a
 * call that ends after its period is counted as <em>late</em>, and closes, opens and frees nothing.
 *
 * <p>Thread-safe and lock-free; no thread, no timer. State changes happen inside calls: an open breaker whose time is
 * over stays {@link State#OPEN} until the next call arrives, and that call is the first probe. Reads change nothing.
 * User code runs with no lock held; what listeners and rules throw never reaches a caller. The interrupt flag is
 * neither read nor changed. Actions in a thread before it reports an outcome <i>happen-before</i> the listener call of
 * a change it causes.
 */
public interface CircuitBreaker extends Part {
    /** The most probes at once, unless set: {@value}. */
    int DEFAULT_MAX_REQUESTS = 1;

    /** The open time in seconds, unless set: {@value}. */
    int DEFAULT_TIMEOUT_SECONDS = 60;

    /** The breaker opens after more consecutive failures than this, unless a rule is set: {@value}. */
    int DEFAULT_CONSECUTIVE_FAILURES = 5;

    /** The greatest number of probes at once that can be set: {@value}. */
    int LARGEST_MAX_REQUESTS = 64;

    /** Returns a breaker with every setting at its default. */
    static CircuitBreaker of(String name) {
        return builder(name).build();
    }

    /**
     * Returns a builder of a breaker.
     *
     * @throws IllegalArgumentException if {@code name} is blank
     */
    static Builder builder(String name) {
        return new BreakerBuilder(name);
    }

    /**
     * Runs a call, or refuses it. Its value or exception, the same instance, reaches the caller unchanged, even if
     * counting it fails.
     *
     * @throws CircuitOpenException if the breaker is open, or forced open
     * @throws TooManyRequestsException if the breaker is half-open and all its slots are taken
     * @throws Exception what the call throws
     */
    <T> T execute(Callable<? extends T> call) throws Exception;

    /**
     * Runs an asynchronous call, or refuses it. The outcome is recorded when the operation's own stage ends, before the
     * returned stage does; an operation that was cancelled is ignored. Cancelling the returned stage records nothing
     * and is not passed on.
     *
     * @return the operation's outcome, or a stage failed with a {@link CallNotPermittedException}; never {@code null}
     */
    <T> CompletionStage<T> executeAsync(Supplier<? extends CompletionStage<T>> operation);

    /**
     * Asks to make a call by hand. Allocates nothing.
     *
     * @return a stamp, larger than zero, which must be handed to exactly one of {@link #onSuccess}, {@link #onFailure}
     *     and {@link #onIgnored}; or a negative number: refused
     */
    long tryAcquire();

    /** A call made by hand ended well. */
    void onSuccess(long stamp);

    /** A call made by hand ended with an error; the rules decide whether it is a failure. */
    void onFailure(long stamp, Throwable error);

    /**
     * A call made by hand ended in a way that says nothing about the callee: its slot is freed, and nothing is counted.
     */
    void onIgnored(long stamp);

    /** Returns the name. */
    @Override
    String name();

    /** Returns {@code "breaker"}. */
    @Override
    default String kind() {
        return "breaker";
    }

    @Override
    default void read(Reading to) {
        BreakerMetrics metrics = metrics();
        to.state("state", metrics.state().name());
        to.count("generation", metrics.generation());
        to.gauge("failure.rate", metrics.failureRate());
        to.gauge("slow.rate", metrics.slowCallRate());
        to.count("ended", metrics.successesSinceStart(), "outcome", "success");
        to.count("ended", metrics.failuresSinceStart(), "outcome", "failure");
        to.count("ignored", metrics.ignored());
        to.count("late", metrics.late());
        to.count("lost", metrics.lost());
        to.count("misused", metrics.misused());
    }

    /** Returns the state. */
    State state();

    /** Returns the counts of the present period or window. */
    Counts counts();

    /** Returns state, counts, rates and totals. */
    BreakerMetrics metrics();

    /** Returns what would happen next, and the settings in force. */
    Diagnostics diagnostics();

    /**
     * Changes settings while running, all or none of them; state and counts stay.
     *
     * @throws IllegalArgumentException if a value is out of range, or a rule could never hold with it; nothing is
     *     changed
     */
    void update(Consumer<SettingsUpdate> change);

    /** Refuses every call until {@link #reset}. */
    void forceOpen();

    /** Admits every call and counts nothing until {@link #reset}. */
    void disable();

    /** Closes the breaker with fresh counts. */
    void reset();

    /**
     * Settings of a new breaker. Each is checked when it is given: a bad one causes an {@link
     * IllegalArgumentException}. Not thread-safe.
     */
    interface Builder {
        /**
         * The most probes at once, 1 to {@value CircuitBreaker#LARGEST_MAX_REQUESTS}. Default:
         * {@value CircuitBreaker#DEFAULT_MAX_REQUESTS}.
         */
        Builder maxRequests(int probes);

        /** The probe successes that close the breaker, at least 1. Default: {@code maxRequests}. */
        Builder successesToClose(int successes);

        /** How often the closed state's counts are cleared. Default: zero, never. Not with a sliding window. */
        Builder interval(Duration interval);

        /** How long the breaker stays open. Default: {@value CircuitBreaker#DEFAULT_TIMEOUT_SECONDS} s. */
        Builder timeout(Duration openFor);

        /** After how long a probe's slot can be taken by another. Default: {@code timeout}. */
        Builder probeTimeout(Duration limit);

        /**
         * Trips when the rule, asked after each failure in the closed state, says so. Default: more than
         * {@value CircuitBreaker#DEFAULT_CONSECUTIVE_FAILURES} consecutive failures. Any rule replaces the default;
         * several are joined by <em>or</em>. A rule that throws does not trip.
         */
        Builder readyToTrip(Predicate<Counts> rule);

        /**
         * Trips when at least {@code minimumObservations} calls have completed and more than the share {@code
         * threshold} of them failed; 1 means: when all of them did. With a sliding window by count {@link #build}
         * refuses a minimum above its size.
         */
        Builder failureRate(double threshold, int minimumObservations);

        /** Counts over the last {@code calls} completed calls. */
        Builder slidingWindow(int calls);

        /** Counts over the last span of time, exact to a 32nd of it. */
        Builder slidingWindow(Duration span);

        /**
         * Trips when more than the share {@code rate} of completed calls, 1 for all of them, took longer than {@code
         * slowerThan}. The minimum number of calls is that of {@link #failureRate}, or 1 without one. The rule for
         * failures, also the default one, stays in force. A probe that takes longer counts as failed.
         */
        Builder slowCalls(Duration slowerThan, double rate);

        /** Makes each opening in a row last {@code factor} times as long as the one before, up to {@code max}. */
        Builder openBackoff(double factor, Duration max);

        /**
         * Says which exceptions are failures; all others are then successes. Asked about exceptions only. Several are
         * joined by <em>or</em>. A rule that throws means failure.
         */
        Builder failsOn(Predicate<? super Throwable> rule);

        /**
         * Says which values, {@code null} included, are failures. Asked about normal returns only, never by {@link
         * #onSuccess}. Several are joined by <em>or</em>. A rule that throws means success.
         */
        Builder failsOnResult(Predicate<@Nullable Object> rule);

        /**
         * Says whether a call ended well, given its exception, or {@code null} for a normal return; the last one given
         * counts. A call fails if this, {@link #failsOn} or {@link #failsOnResult} says so. A rule that throws means
         * failure.
         */
        Builder isSuccessful(Predicate<? super Throwable> rule);

        /**
         * Says which exceptions leave a call uncounted. Asked before all others. Several are joined by <em>or</em>. A
         * rule that throws means no. Like the other rules, it gets the error without one {@link
         * java.util.concurrent.CompletionException} around it.
         */
        Builder ignore(Predicate<? super Throwable> rule);

        /** Notifies {@code listener} of each state change, after those given before. Default: none. */
        Builder onStateChange(StateChangeListener listener);

        /** As {@link #onStateChange}, with all that was known when the change was decided; called after those. */
        Builder onTransition(Consumer<Transition> listener);

        /**
         * Sets the source of monotonic nanoseconds. Default: {@link System#nanoTime}. If it throws when a call asks
         * for admission, or when the breaker is read or changed, the caller gets the exception, and nothing has
         * changed. If it throws when an outcome is reported, the exception is dropped and the outcome counts as lost.
         */
        Builder ticker(LongSupplier nanos);

        /**
         * Returns a new breaker, closed, with the settings so far.
         *
         * @throws IllegalArgumentException if settings exclude each other, or a rule could never hold with them
         */
        CircuitBreaker build();
    }
}

package io.tidegate.breaker;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings that do not change while a breaker runs. Times are in nanoseconds.
 *
 * @param readyToTrip the caller's rule, or null for none
 * @param defaultRule whether the default rule applies, because no other one was given
 * @param windowCalls the size of a sliding window by count, or 0 for none
 * @param windowSpan the length of a sliding window by time, or 0 for none
 * @param slowerThan a call that takes longer is slow; {@link Long#MAX_VALUE}: no call is slow
 * @param slowRate the share of slow calls that trips
 * @param backoffFactor by which factor each opening in a row lasts longer than the one before
 * @param longestOpen the longest opening, whatever the backoff
 */
record FixedSettings(
        String name,
        @Nullable Predicate<Counts> readyToTrip,
        boolean defaultRule,
        int windowCalls,
        long windowSpan,
        long slowerThan,
        double slowRate,
        double backoffFactor,
        long longestOpen,
        @Nullable Predicate<? super Throwable> isSuccessful,
        @Nullable Predicate<? super Throwable> failsOn,
        @Nullable Predicate<@Nullable Object> failsOnResult,
        @Nullable Predicate<? super Throwable> ignore,
        List<StateChangeListener> stateListeners,
        List<Consumer<Transition>> transitionListeners,
        LongSupplier ticker) {
    boolean timesCalls() {
        return slowerThan != Long.MAX_VALUE;
    }

    private boolean isSliding() {
        return windowCalls > 0 || windowSpan > 0;
    }

    /** Refuses live settings that cannot work with these, or with which a rule could never hold. */
    void check(LiveSettings settings) {
        LiveSettings.check(
                !isSliding() || settings.interval() == 0,
                "interval",
                Duration.ofNanos(settings.interval()),
                "zero with a sliding window");
        LiveSettings.check(
                windowCalls == 0 || settings.minimumObservations() <= windowCalls,
                "minimumObservations",
                settings.minimumObservations(),
                "<= " + windowCalls + ", the size of the sliding window, as there are never more calls in it");
    }

    OutcomeWindow newWindow(long now) {
        if (windowCalls > 0) {
            return new LastCalls(windowCalls);
        }
        return windowSpan > 0 ? new LastSpan(windowSpan, now) : new TumblingWindow(now);
    }

    long openFor(long timeout, int openings) {
        if (backoffFactor == 1) {
            return Math.min(timeout, longestOpen);
        }
        double wanted = timeout * Math.pow(backoffFactor, openings - 1.0);
        return wanted < longestOpen ? (long) wanted : longestOpen;
    }
}

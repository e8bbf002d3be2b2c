package io.tidegate.breaker;

import org.jspecify.annotations.Nullable;

/**
 * Everything that changes in one step: the state between two state changes, what belongs to that state, and the
 * settings in force.
 *
 * @param generation how many state changes came before
 * @param since when it began; for an open period, since when it refuses
 * @param earliest the earliest time seen in an open period: before {@code since} if the clock went back
 * @param openFor how long an open period refuses
 * @param openings the number of openings in a row, this one included
 * @param window the counts of a closed period
 * @param probes the probes of a half-open period
 * @param past the last half-open period, if any
 * @param before the outcomes of all closed periods before this one
 */
record Period(
        State state,
        long generation,
        LiveSettings settings,
        long since,
        long earliest,
        long openFor,
        int openings,
        @Nullable OutcomeWindow window,
        @Nullable Probes probes,
        @Nullable Past past,
        OutcomeCounts before) {
    private static final int PASTS = 4;

    /** A half-open period that is over. The last few are kept, to recognise stamps that come late or twice. */
    record Past(long generation, Probes probes, @Nullable Past before) {
        static @Nullable Probes find(@Nullable Past newest, long stamp) {
            for (Past past = newest; past != null; past = past.before) {
                if (Stamp.isOf(past.generation, stamp)) {
                    return past.probes;
                }
            }
            return null;
        }

        private static @Nullable Past keep(@Nullable Past past, int most) {
            return past == null || most == 0
                    ? null
                    : new Past(past.generation, past.probes, keep(past.before, most - 1));
        }
    }

    static Period first(LiveSettings settings, long now, OutcomeWindow window) {
        return new Period(State.CLOSED, 0, settings, now, now, 0, 0, window, null, null, OutcomeCounts.NONE);
    }

    Period toClosed(long now, OutcomeWindow fresh) {
        return new Period(
                State.CLOSED, generation + 1, settings, now, now, 0, 0, fresh, null, pastFromHere(), outcomes());
    }

    Period toOpen(long now, FixedSettings fixed) {
        int next = openings + 1;
        return next(State.OPEN, now, fixed.openFor(settings.timeout(), next), next, null);
    }

    Period toHalfOpen(long now, Probes fresh) {
        return next(State.HALF_OPEN, now, 0, openings, fresh);
    }

    Period toForced(State forced, long now) {
        return next(forced, now, 0, 0, null);
    }

    private Period next(State state, long now, long openFor, int openings, @Nullable Probes fresh) {
        return new Period(
                state, generation + 1, settings, now, now, openFor, openings, null, fresh, pastFromHere(), outcomes());
    }

    /** Returns the outcomes of all closed periods up to now. */
    OutcomeCounts outcomes() {
        return window == null ? before : before.plus(window.everEnded());
    }

    private @Nullable Past pastFromHere() {
        return probes == null ? past : new Past(generation, probes, Past.keep(past, PASTS - 1));
    }

    /** Returns the same period with other settings; a changed open time starts over. */
    Period with(LiveSettings changed, long now, FixedSettings fixed) {
        boolean restart = state == State.OPEN && changed.timeout() != settings.timeout();
        return new Period(
                state,
                generation,
                changed,
                restart ? now : since,
                restart ? now : earliest,
                restart ? fixed.openFor(changed.timeout(), openings) : openFor,
                openings,
                window,
                probes == null || changed.maxRequests() == settings.maxRequests()
                        ? probes
                        : probes.withLimit(changed.maxRequests(), now),
                past,
                before);
    }

    /** Returns how long this opening lasts, or how long the next one would last. */
    long openTime(FixedSettings fixed) {
        return state == State.OPEN ? openFor : fixed.openFor(settings.timeout(), openings + 1);
    }

    /** Returns the same period, with the earlier time that the clock shows after it went back. */
    Period atEarliest(long now) {
        return new Period(state, generation, settings, since, now, openFor, openings, window, probes, past, before);
    }

    boolean isEarliest(long now) {
        return now - earliest < 0;
    }

    /**
     * Returns how long an open period still refuses. While the clock is back before the opening, the open time counts
     * from the earliest time seen, so that it does not become longer. Once the clock is past the opening again, it
     * counts from the opening, as if the clock had not gone back.
     */
    long timeLeft(long now) {
        long from = now - since >= 0 ? since : earliest;
        return openFor - Math.max(0, now - from);
    }
}

package io.tidegate.breaker;

import org.jspecify.annotations.Nullable;

/**
 * All that changes together: the state with what belongs to it, between two state changes, and the settings in force.
 *
 * @param generation how many state changes came before
 * @param since when it began; for an open one, since when it refuses
 * @param earliest the earliest time seen in an open one: before {@code since} if the clock went back
 * @param openFor how long an open one refuses
 * @param openings the number of openings in a row, this one included
 * @param window the counts of a closed one
 * @param probes the probes of a half-open one
 * @param past the last half-open one, if any
 * @param before the outcomes of the closed periods before
 */
record Period(
        State state,
        long generation,
        Settings settings,
        long since,
        long earliest,
        long openFor,
        int openings,
        @Nullable OutcomeWindow window,
        @Nullable Probes probes,
        @Nullable Past past,
        Outcomes before) {
    private static final int PASTS = 4;

    /** A half-open period that is over, for recognising stamps that come late or twice; the last few are kept. */
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

    static Period first(Settings settings, long now, OutcomeWindow window) {
        return new Period(State.CLOSED, 0, settings, now, now, 0, 0, window, null, null, Outcomes.NONE);
    }

    Period toClosed(long now, OutcomeWindow fresh) {
        return new Period(
                State.CLOSED, generation + 1, settings, now, now, 0, 0, fresh, null, pastFromHere(), outcomes());
    }

    Period toOpen(long now, Config config) {
        int next = openings + 1;
        return next(State.OPEN, now, config.openFor(settings.timeout(), next), next, null);
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

    /** The outcomes of all closed periods up to now. */
    Outcomes outcomes() {
        return window == null ? before : before.plus(window.everEnded());
    }

    private @Nullable Past pastFromHere() {
        return probes == null ? past : new Past(generation, probes, Past.keep(past, PASTS - 1));
    }

    /** The same period with other settings; a changed open time restarts. */
    Period with(Settings changed, long now, Config config) {
        boolean restart = state == State.OPEN && changed.timeout() != settings.timeout();
        return new Period(
                state,
                generation,
                changed,
                restart ? now : since,
                restart ? now : earliest,
                restart ? config.openFor(changed.timeout(), openings) : openFor,
                openings,
                window,
                probes == null || changed.maxRequests() == settings.maxRequests()
                        ? probes
                        : probes.withLimit(changed.maxRequests(), now),
                past,
                before);
    }

    /** How long this opening lasts, or the next one would. */
    long openTime(Config config) {
        return state == State.OPEN ? openFor : config.openFor(settings.timeout(), openings + 1);
    }

    /** The same period, with the earlier time that the clock shows after it went back. */
    Period atEarliest(long now) {
        return new Period(state, generation, settings, since, now, openFor, openings, window, probes, past, before);
    }

    boolean isEarliest(long now) {
        return now - earliest < 0;
    }

    /**
     * How long an open one still refuses. While the clock is back before the opening, the open time counts from the
     * earliest time seen, so that it does not become longer. Once the clock is past the opening again, it counts from
     * the opening, as if the clock had not gone back.
     */
    long timeLeft(long now) {
        long from = now - since >= 0 ? since : earliest;
        return openFor - Math.max(0, now - from);
    }
}

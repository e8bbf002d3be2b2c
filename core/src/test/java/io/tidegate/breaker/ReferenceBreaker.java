package io.tidegate.breaker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The simplest breaker, for one thread: it keeps all calls in lists and computes each answer from them. Times are
 * nanoseconds; callers pass the time.
 */
final class ReferenceBreaker {
    /** The settings; zero stands for "not set". */
    static final class Settings {
        int maxRequests = 1;
        int successesToClose;
        long interval;
        long timeout;
        long probeTimeout;
        double failureRate;
        int minimum = 1;
        int failuresThatTrip;
        int runThatTrips;
        int windowCalls;
        long windowSpan;
        long slowerThan;
        double slowRate;
        double backoffFactor = 1;
        long longestOpen = Long.MAX_VALUE;

        int closingSuccesses() {
            return successesToClose == 0 ? maxRequests : successesToClose;
        }

        long probeLimit() {
            return probeTimeout == 0 ? timeout : probeTimeout;
        }
    }

    /** A call that was admitted. */
    static final class Call {
        final long generation;
        final boolean probe;
        final long began;
        long earliest;
        boolean told;
        boolean lostItsSlot;
        boolean failed;
        boolean slow;
        long ended;

        Call(long generation, boolean probe, long began) {
            this.generation = generation;
            this.probe = probe;
            this.began = began;
            this.earliest = began;
        }

        /**
         * How long the call has run; while the clock is back before the call's beginning, since the time it went back
         * to.
         */
        long age(long now) {
            if (now - began >= 0) {
                return now - began;
            }
            earliest = now - earliest < 0 ? now : earliest;
            return now - earliest;
        }
    }

    final List<String> changes = new ArrayList<>();
    final List<Transition> transitions = new ArrayList<>();
    final Settings settings;
    private State state = State.CLOSED;
    private long generation;
    private long since;
    private long earliest;
    private long openFor;
    private int openings;

    // Of the present period.
    private final List<Call> running = new ArrayList<>();
    private final List<Call> completed = new ArrayList<>();
    private final @Nullable Call[] slots = new Call[64];
    private final boolean[] open = new boolean[64];
    private int probesAdmitted;
    private int probesIgnored;
    private int probesSucceeded;
    private @Nullable Call failedProbe;
    private long cleared;

    // Of all periods.
    private long refused;
    private long late;
    private long ignored;
    private long misused;
    private long lost;
    private long usualProbe;
    private long succeeded;
    private long failed;

    ReferenceBreaker(Settings settings, long now) {
        this.settings = settings;
        this.since = now;
        this.cleared = now;
    }

    // Calls

    /** Returns the call, or null if it is refused. */
    @Nullable
    Call begin(long now) {
        if (state == State.OPEN) {
            earliest = now - earliest < 0 ? now : earliest;
            if (timeLeft(now) <= 0) {
                change(State.HALF_OPEN, Transition.Cause.TIMEOUT, now);
            }
        }
        return switch (state) {
            case CLOSED -> {
                clearIfOver(now);
                yield started(new Call(generation, false, now));
            }
            case DISABLED -> new Call(generation, false, now);
            case HALF_OPEN -> beginProbe(now);
            case OPEN, FORCED_OPEN -> refuse();
        };
    }

    private Call started(Call call) {
        running.add(call);
        return call;
    }

    private @Nullable Call refuse() {
        refused++;
        return null;
    }

    private @Nullable Call beginProbe(long now) {
        for (int i = 0; i < slots.length; i++) {
            if (!open[i] && slots[i] != null) {
                if (!isOverdue(i, now)) {
                    return refuseProbe(now);
                }
                loseSlot(i);
            }
        }
        for (int i = 0; i < slots.length; i++) {
            if (open[i] && slots[i] == null) {
                return probeIn(i, now);
            }
        }
        for (int i = 0; i < slots.length; i++) {
            if (open[i] && isOverdue(i, now)) {
                loseSlot(i);
                return probeIn(i, now);
            }
        }
        return refuseProbe(now);
    }

    private boolean isOverdue(int slot, long now) {
        return slots[slot].age(now) >= settings.probeLimit();
    }

    private void loseSlot(int slot) {
        slots[slot].lostItsSlot = true;
        slots[slot] = null;
    }

    private Call probeIn(int slot, long now) {
        probesAdmitted++;
        Call call = new Call(generation, true, now);
        slots[slot] = call;
        return call;
    }

    private @Nullable Call refuseProbe(long now) {
        oldestProbe(now);
        return refuse();
    }

    private long oldestProbe(long now) {
        long oldest = 0;
        for (Call slot : slots) {
            oldest = Math.max(oldest, slot == null ? 0 : slot.age(now));
        }
        return oldest;
    }

    /** Returns the retry-after of a refusal for lack of a slot. */
    long untilSlot(long now) {
        long oldest = oldestProbe(now);
        long left = usualProbe > oldest ? usualProbe - oldest : 1_000_000_000L;
        return oldest >= settings.probeLimit() ? left : Math.min(left, settings.probeLimit() - oldest);
    }

    private int probesInFlight() {
        int probes = 0;
        for (Call slot : slots) {
            probes += slot != null ? 1 : 0;
        }
        return probes;
    }

    /** Whether the next call's admission needs the time. */
    boolean needsTimeToBegin() {
        return switch (state) {
            case CLOSED -> settings.slowerThan > 0 || settings.interval > 0;
            case OPEN, HALF_OPEN -> true;
            case FORCED_OPEN, DISABLED -> false;
        };
    }

    void end(Call call, Outcome outcome, long now) {
        end(call, outcome, now, true);
    }

    /** Ends a call while the ticker throws: an outcome that needs the time is lost, and the call's slot is freed. */
    void endWithoutTime(Call call, Outcome outcome, long now) {
        end(call, outcome, now, false);
    }

    private void end(Call call, Outcome outcome, long now, boolean hasTime) {
        boolean again = call.told;
        call.told = true;
        if (call.probe && again) {
            misused++;
        } else if (call.generation != generation || call.lostItsSlot) {
            late++;
        } else if (call.probe) {
            endProbe(call, outcome, now, hasTime);
        } else if (state == State.CLOSED) {
            endCall(call, outcome, now, hasTime);
        }
    }

    private void endProbe(Call call, Outcome outcome, long now, boolean hasTime) {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] == call) {
                slots[i] = null;
            }
        }
        if (outcome == Outcome.IGNORED) {
            ignored++;
            probesIgnored++;
            return;
        }
        if (!hasTime) {
            lost++;
            probesIgnored++;
            return;
        }
        long taken = now - call.began;
        if (taken > 0) {
            usualProbe = usualProbe == 0 ? taken : usualProbe + (taken - usualProbe) / 4;
        }
        call.slow = settings.slowerThan > 0 && taken > settings.slowerThan;
        if (outcome == Outcome.FAILURE || call.slow) {
            failed++;
            failedProbe = call;
            change(State.OPEN, Transition.Cause.PROBE_FAILED, now);
            failedProbe = null;
        } else {
            succeeded++;
            probesSucceeded++;
            if (probesSucceeded >= settings.closingSuccesses()) {
                change(State.CLOSED, Transition.Cause.PROBES_SUCCEEDED, now);
            }
        }
    }

    private void endCall(Call call, Outcome outcome, long now, boolean hasTime) {
        running.remove(call);
        if (outcome == Outcome.IGNORED) {
            ignored++;
            return;
        }
        if (!hasTime && (settings.slowerThan > 0 || settings.windowSpan > 0 || settings.interval > 0)) {
            lost++;
            return;
        }
        clearIfOver(now);
        call.ended = now;
        call.failed = outcome == Outcome.FAILURE;
        call.slow = settings.slowerThan > 0 && now - call.began > settings.slowerThan;
        completed.add(call);
        failed += call.failed ? 1 : 0;
        succeeded += call.failed ? 0 : 1;
        List<Call> window = inWindow(now);
        if (call.failed ? failureTrips(completed, window) : call.slow && tooManySlow(window)) {
            if (hasTime) {
                change(State.OPEN, Transition.Cause.RULE, now);
            } else {
                lost++;
            }
        }
    }

    // Windows

    private void clearIfOver(long now) {
        if (isIntervalOver(now)) {
            completed.clear();
            cleared = now;
        }
    }

    private boolean isIntervalOver(long now) {
        return settings.interval > 0 && now - cleared >= settings.interval;
    }

    private List<Call> inWindow(long now) {
        List<Call> window = new ArrayList<>(completed);
        if (settings.windowSpan > 0) {
            window.removeIf(call -> now - call.ended >= settings.windowSpan);
        }
        while (settings.windowCalls > 0 && window.size() > settings.windowCalls) {
            window.remove(0);
        }
        return window;
    }

    private static long failures(List<Call> window) {
        return window.stream().filter(call -> call.failed).count();
    }

    private static long slow(List<Call> window) {
        return window.stream().filter(call -> call.slow).count();
    }

    /**
     * Returns the length of the run at the end of the calls since the counts were cleared, whatever the window holds.
     */
    private static long lastInARow(List<Call> calls, boolean failed) {
        long run = 0;
        for (Call call : calls) {
            run = call.failed == failed ? run + 1 : 0;
        }
        return run;
    }

    // Rules

    private boolean failureTrips(List<Call> calls, List<Call> window) {
        boolean noRule = settings.failureRate == 0 && settings.failuresThatTrip == 0 && settings.runThatTrips == 0;
        return (noRule && lastInARow(calls, true) > 5)
                || (settings.failuresThatTrip > 0 && failures(window) >= settings.failuresThatTrip)
                || (settings.runThatTrips > 0 && lastInARow(calls, true) >= settings.runThatTrips)
                || tooManyFailed(window)
                || tooManySlow(window);
    }

    private boolean tooManyFailed(List<Call> window) {
        return settings.failureRate > 0
                && window.size() >= settings.minimum
                && isAbove(settings.failureRate, failures(window), window);
    }

    private boolean tooManySlow(List<Call> window) {
        return settings.slowerThan > 0
                && window.size() >= settings.minimum
                && isAbove(settings.slowRate, slow(window), window);
    }

    private static boolean isAbove(double rate, long part, List<Call> window) {
        return rate == 1 ? part == window.size() : (double) part / window.size() > rate;
    }

    private boolean oneMoreFailureTrips(long now) {
        if (state != State.CLOSED) {
            return state == State.HALF_OPEN;
        }
        List<Call> calls = isIntervalOver(now) ? new ArrayList<>() : new ArrayList<>(completed);
        List<Call> window = isIntervalOver(now) ? new ArrayList<>() : inWindow(now);
        Call failure = new Call(generation, false, now);
        failure.failed = true;
        calls.add(failure);
        window.add(failure);
        if (settings.windowCalls > 0 && window.size() > settings.windowCalls) {
            window.remove(0);
        }
        return failureTrips(calls, window);
    }

    // Changes

    private void change(State to, Transition.Cause cause, long now) {
        if (state != to) {
            changes.add(state + " -> " + to);
            transitions.add(transition(to, cause, now));
        }
        state = to;
        generation++;
        since = now;
        earliest = now;
        if (to == State.OPEN) {
            openings++;
            openFor = openTime();
        } else if (to != State.HALF_OPEN) {
            openings = 0;
        }
        running.clear();
        completed.clear();
        cleared = now;
        Arrays.fill(slots, null);
        Arrays.fill(open, 0, settings.maxRequests, true);
        Arrays.fill(open, settings.maxRequests, open.length, false);
        probesAdmitted = 0;
        probesIgnored = 0;
        probesSucceeded = 0;
    }

    private Transition transition(State to, Transition.Cause cause, long now) {
        List<Call> window = inWindow(now);
        Counts counts = counts(now);
        if (failedProbe != null) {
            window.add(failedProbe);
            counts = new Counts(counts.requests(), counts.totalSuccesses(), 1, 0, 1);
        }
        double size = Math.max(1, counts.totalSuccesses() + counts.totalFailures());
        return new Transition(
                "search",
                state,
                to,
                generation + 1,
                counts,
                counts.totalFailures() / size,
                slow(window) / size,
                cause,
                now);
    }

    private long openTime() {
        return openTime(openings);
    }

    private long openTime(int number) {
        double wanted = settings.timeout;
        for (int i = 1; i < number; i++) {
            wanted *= settings.backoffFactor;
        }
        return wanted < settings.longestOpen ? (long) wanted : settings.longestOpen;
    }

    void force(State to, long now) {
        if (state != to || to == State.CLOSED) {
            change(to, to == State.CLOSED ? Transition.Cause.RESET : Transition.Cause.FORCED, now);
        }
    }

    /** Changes the limit. Running probes keep their slots; slots above the limit are closed to other probes. */
    void setMaxRequests(int limit) {
        if (limit == settings.maxRequests) {
            return;
        }
        settings.maxRequests = limit;
        Arrays.fill(open, false);
        int left = limit;
        for (int i = 0; i < slots.length && left > 0; i++) {
            if (slots[i] != null) {
                open[i] = true;
                left--;
            }
        }
        for (int i = 0; i < slots.length && left > 0; i++) {
            if (!open[i]) {
                open[i] = true;
                left--;
            }
        }
    }

    void setTimeout(long timeout, long now) {
        boolean changed = settings.timeout != timeout;
        settings.timeout = timeout;
        if (changed && state == State.OPEN) {
            since = now;
            earliest = now;
            openFor = openTime();
        }
    }

    void setInterval(long interval, long now) {
        boolean changed = settings.interval != interval;
        settings.interval = interval;
        if (changed && state == State.CLOSED) {
            completed.clear();
            cleared = now;
        }
    }

    // Reads

    State state() {
        return state;
    }

    /**
     * How long an open breaker goes on refusing; while the clock is back before the opening, since the time it went
     * back to.
     */
    long timeLeft(long now) {
        boolean back = now - since < 0;
        return Math.min(openFor, openFor - (now - (back ? earliest : since)));
    }

    Counts counts(long now) {
        if (state == State.HALF_OPEN) {
            return new Counts(probesAdmitted - probesIgnored, probesSucceeded, 0, probesSucceeded, 0);
        }
        List<Call> window = inWindow(now);
        long failures = failures(window);
        return new Counts(
                window.size() + running.size(),
                window.size() - failures,
                failures,
                lastInARow(completed, false),
                lastInARow(completed, true));
    }

    BreakerMetrics metrics(long now) {
        List<Call> window = inWindow(now);
        double size = Math.max(1, window.size());
        return new BreakerMetrics(
                state,
                generation,
                counts(now),
                failures(window) / size,
                slow(window) / size,
                refused,
                late,
                ignored,
                misused,
                lost,
                succeeded,
                failed);
    }

    Diagnostics diagnostics(long now) {
        return new Diagnostics(
                state,
                oneMoreFailureTrips(now),
                Duration.ofNanos(state == State.OPEN ? Math.max(0, timeLeft(now)) : 0),
                probesInFlight(),
                Duration.ofNanos(state == State.OPEN ? openFor : openTime(openings + 1)),
                Duration.ofNanos(settings.interval),
                settings.maxRequests,
                settings.closingSuccesses());
    }
}

package io.tidegate.breaker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A breaker for one thread, as plain as can be: it keeps the calls themselves in lists and works everything out from them
 * each time it is asked. Times are nanoseconds, and the time is handed in.
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
        boolean told;
        boolean lostItsSlot;
        boolean failed;
        boolean slow;
        long ended;

        Call(long generation, boolean probe, long began) {
            this.generation = generation;
            this.probe = probe;
            this.began = began;
        }
    }

    final List<String> changes = new ArrayList<>();
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
    private int probesAdmitted;
    private int probesIgnored;
    private int probesSucceeded;
    private long cleared;

    // Of all periods.
    private long refused;
    private long late;
    private long ignored;
    private long misused;
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
                change(State.HALF_OPEN, now);
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
        if (probesInFlight() >= settings.maxRequests) {
            takeSlotsOfOverdueProbes(now);
        }
        if (probesInFlight() >= settings.maxRequests) {
            return refuse();
        }
        int free = 0;
        while (slots[free] != null) {
            free++;
        }
        probesAdmitted++;
        slots[free] = new Call(generation, true, now);
        return slots[free];
    }

    private void takeSlotsOfOverdueProbes(long now) {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] != null && now - slots[i].began >= settings.probeLimit()) {
                slots[i].lostItsSlot = true;
                slots[i] = null;
            }
        }
    }

    private int probesInFlight() {
        int probes = 0;
        for (Call slot : slots) {
            probes += slot != null ? 1 : 0;
        }
        return probes;
    }

    void end(Call call, Outcome outcome, long now) {
        boolean again = call.told;
        call.told = true;
        if (call.probe && again) {
            misused++;
        } else if (call.generation != generation || call.lostItsSlot) {
            late++;
        } else if (call.probe) {
            endProbe(call, outcome, now);
        } else if (state == State.CLOSED) {
            endCall(call, outcome, now);
        }
    }

    private void endProbe(Call call, Outcome outcome, long now) {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] == call) {
                slots[i] = null;
            }
        }
        switch (outcome) {
            case IGNORED -> {
                ignored++;
                probesIgnored++;
            }
            case FAILURE -> {
                failed++;
                change(State.OPEN, now);
            }
            case SUCCESS -> {
                succeeded++;
                probesSucceeded++;
                if (probesSucceeded >= settings.closingSuccesses()) {
                    change(State.CLOSED, now);
                }
            }
        }
    }

    private void endCall(Call call, Outcome outcome, long now) {
        running.remove(call);
        if (outcome == Outcome.IGNORED) {
            ignored++;
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
            change(State.OPEN, now);
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

    /** The run at the end of the calls, which are those since the counts were cleared, whatever the window holds. */
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
                && (double) failures(window) / window.size() > settings.failureRate;
    }

    private boolean tooManySlow(List<Call> window) {
        return settings.slowerThan > 0
                && window.size() >= settings.minimum
                && (double) slow(window) / window.size() > settings.slowRate;
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

    private void change(State to, long now) {
        if (state != to) {
            changes.add(state + " -> " + to);
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
        probesAdmitted = 0;
        probesIgnored = 0;
        probesSucceeded = 0;
    }

    private long openTime() {
        double wanted = settings.timeout;
        for (int i = 1; i < openings; i++) {
            wanted *= settings.backoffFactor;
        }
        return wanted < settings.longestOpen ? (long) wanted : settings.longestOpen;
    }

    void force(State to, long now) {
        if (state != to || to == State.CLOSED) {
            change(to, now);
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

    /** How long an open breaker goes on refusing; while the clock is back before the opening, from where it went to. */
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
                succeeded,
                failed);
    }

    Diagnostics diagnostics(long now) {
        return new Diagnostics(
                state,
                oneMoreFailureTrips(now),
                Duration.ofNanos(state == State.OPEN ? Math.max(0, timeLeft(now)) : 0),
                probesInFlight(),
                Duration.ofNanos(settings.timeout),
                Duration.ofNanos(settings.interval),
                settings.maxRequests,
                settings.closingSuccesses());
    }
}

package io.tidegate.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Looks at intervals for abandoned work on an engine, and makes the runner take it up. */
final class Sweep {
    /*
     * Processes that sweep at the same time would take up the same domains. So each process takes up domains of a page
     * in random order, at a time of its own. The second process that comes to a domain learns that the domain is held,
     * and leaves it. A runner that has not begun the domains it got before gets no more, so other runners take what it
     * cannot do.
     *
     * If there is far more work than a page, many processes would still begin with the same page and get nothing. So a
     * process that was second too often skips domains: a random number, with a bound that grows while that continues;
     * behind the last domain the first one follows. A process that was second more often than first also pauses before
     * it looks further: the domains that all processes find may be those that their owners are about to continue.
     */
    private static final int PAGE = 256;
    private static final int MOST = 64;
    private static final int CROWDED_ONE_IN = 5;
    private static final int NEAREST = 1_024;
    private static final int FARTHEST = 262_144;
    private static final int MOST_SKIPPED = 4_096;
    private static final long FIRST_PAUSE_MILLIS = 25;

    private final SharedWorkLease lease;
    private final RunnerClock clock;
    private final StopGate gate;
    private final JitteredLoop rounds;
    private final TurnRunner runner;
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /** Domains that were given to the runner and that no thread has begun yet. */
    private final AtomicInteger notBegun = new AtomicInteger();

    /** Of the domains begun since the last page: how many another owner had, and how many this process got. */
    private final AtomicInteger inVain = new AtomicInteger();

    private final AtomicInteger got = new AtomicInteger();

    /** Where the next page begins. Only the sweeping thread uses it. */
    private String after = "";

    /** How many domains to skip at most next time. Only the sweeping thread uses it. */
    private int farthest = NEAREST;

    /** Whether there was more work than the runner had room for. */
    private volatile boolean more;

    /** How long to wait at most before looking further. */
    private volatile long pauseMillis;

    /** Whether a thread is about to look further. */
    private final AtomicBoolean goesOn = new AtomicBoolean();

    Sweep(SharedWorkLease lease, RunnerClock clock, StopGate gate, Duration every, TurnRunner runner) {
        this.lease = lease;
        this.clock = clock;
        this.gate = gate;
        this.rounds = new JitteredLoop(clock, every, this::sweep);
        this.runner = runner;
    }

    void begin() {
        rounds.begin();
    }

    void end() {
        rounds.end();
    }

    /**
     * Called when a thread has begun a domain that was given to the runner, or when the domain was dropped.
     *
     * @param hadByAnother whether another owner was quicker
     */
    void begun(boolean hadByAnother) {
        (hadByAnother ? inVain : got).incrementAndGet();
        notBegun.decrementAndGet();
        sweepOn();
    }

    /*
     * Sweeps further if there is more work and room for it. A thread that finds more work calls this after it has noted
     * that, and a thread that makes room calls this after it has made room: so one of them sees both.
     */
    private void sweepOn() {
        if (more && notBegun.get() <= MOST / 2 && goesOn.compareAndSet(false, true)) {
            clock.later(this::goOn, clock.random(pauseMillis + 1));
        }
    }

    private void goOn() {
        goesOn.set(false);
        sweep();
    }

    private void sweep() {
        if (!sweeping.compareAndSet(false, true)) {
            return;
        }
        if (!gate.enter()) {
            sweeping.set(false);
            return;
        }
        more = false;
        try {
            more = takeUpSome();
        } catch (Throwable away) {
            clock.later(() -> runner.tellError("", away), 0); // the listener may block
        } finally {
            sweeping.set(false);
            sweepOn();
            gate.leave();
        }
    }

    /* Returns whether there is more work than the runner has room for. */
    private boolean takeUpSome() {
        goOnIfCrowded();
        while (!rounds.isOver()) {
            List<String> page = new ArrayList<>(lease.pending(PAGE, after));
            boolean last = page.size() < PAGE;
            String end = last ? "" : page.get(PAGE - 1);
            page.removeIf(runner::seesTo);
            Collections.shuffle(page, new Random(clock.random(Long.MAX_VALUE)));
            for (String domain : page) {
                if (notBegun.get() >= MOST) {
                    return true;
                }
                notBegun.incrementAndGet();
                clock.later(() -> takeUp(domain), 0); // the executor might run tasks on this thread
            }
            after = end;
            if (last) {
                return false;
            }
        }
        return false;
    }

    private void goOnIfCrowded() {
        int others = inVain.getAndSet(0);
        int mine = got.getAndSet(0);
        boolean crowded = others * CROWDED_ONE_IN > others + mine;
        if (crowded) {
            skip(clock.random(farthest));
        }
        farthest = crowded ? Math.min(4 * farthest, FARTHEST) : Math.max(farthest / 2, NEAREST);
        pauseMillis = others > mine ? Math.min(Math.max(FIRST_PAUSE_MILLIS, 2 * pauseMillis), rounds.everyMillis()) : 0;
    }

    /* Behind the last domain the first one follows. */
    private void skip(long domains) {
        for (long left = domains; left > 0 && !rounds.isOver(); ) {
            int most = (int) Math.min(left, MOST_SKIPPED);
            List<String> skipped = lease.pending(most, after);
            left -= most;
            if (skipped.size() < most) {
                after = "";
                return;
            }
            after = skipped.get(most - 1);
        }
    }

    private void takeUp(String domain) {
        boolean given = false;
        try {
            given = !rounds.isOver() && runner.takeUp(domain);
        } finally {
            if (!given) {
                begun(false);
            }
        }
    }
}

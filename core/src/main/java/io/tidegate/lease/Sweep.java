package io.tidegate.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Looks on an engine for work that nobody does, again and again, and has the runner take it up. */
final class Sweep {
    /*
     * Processes that sweep at the same time would ask for the same domains: each takes some of a page at random, at a time of its own. Whoever comes second is told that
     * the domain is held, and leaves it. A runner that has not got to what it was given before is given no more, so what it cannot do is left to others.
     */
    private static final int PAGE = 256;
    private static final int MOST = 64;

    private final SharedWorkLease lease;
    private final Pace pace;
    private final StopGate gate;
    private final Rounds rounds;
    private final FollowingRunner runner;
    private final AtomicBoolean sweeps = new AtomicBoolean();

    /** Domains that were given to the runner, and that no thread has come to yet. */
    private final AtomicInteger notBegun = new AtomicInteger();

    /** Where the next page begins; known to who sweeps. */
    private String after = "";

    /** Whether there was more than the runner had room for. */
    private volatile boolean more;

    Sweep(SharedWorkLease lease, Pace pace, StopGate gate, Duration every, FollowingRunner runner) {
        this.lease = lease;
        this.pace = pace;
        this.gate = gate;
        this.rounds = new Rounds(pace, every, this::sweep);
        this.runner = runner;
    }

    void begin() {
        rounds.begin();
    }

    void end() {
        rounds.end();
    }

    /** A thread has come to a domain that was given to the runner, or it was let go. */
    void begun() {
        notBegun.decrementAndGet();
        sweepOn();
    }

    /* Whoever has found more asks this after it has said so, and whoever makes room after it has made it: one of them sees both. */
    private void sweepOn() {
        if (more && notBegun.get() <= MOST / 2) {
            pace.later(this::sweep, 0);
        }
    }

    private void sweep() {
        if (!sweeps.compareAndSet(false, true)) {
            return;
        }
        if (!gate.enter()) {
            sweeps.set(false);
            return;
        }
        more = false;
        try {
            more = takeUpSome();
        } catch (Throwable away) {
            pace.later(() -> runner.tellError("", away), 0); // who may block
        } finally {
            sweeps.set(false);
            sweepOn();
            gate.leave();
        }
    }

    /* Whether there is more. */
    private boolean takeUpSome() {
        while (!rounds.isOver()) {
            List<String> page = new ArrayList<>(lease.pending(PAGE, after));
            boolean last = page.size() < PAGE;
            String end = last ? "" : page.get(PAGE - 1);
            page.removeIf(runner::seesTo);
            Collections.shuffle(page, new Random(pace.random(Long.MAX_VALUE)));
            for (String domain : page) {
                if (notBegun.get() >= MOST) {
                    return true;
                }
                notBegun.incrementAndGet();
                pace.later(() -> takeUp(domain), 0); // on an executor that runs things at once it takes its time
            }
            after = end;
            if (last) {
                return false;
            }
        }
        return false;
    }

    private void takeUp(String domain) {
        boolean given = false;
        try {
            given = !rounds.isOver() && runner.takeUp(domain);
        } finally {
            if (!given) {
                begun();
            }
        }
    }
}

package io.tidegate.adaptive;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A limit that follows latency: compares how long calls take with how long they take without a queue at the callee. */
final class Gradient extends LimitPeriod {
    /*
     * A period lasts for about as many calls as the limit, counting those that began in it and ended while the limit
     * was in use. Their mean latency, compared with that of calls without a queue (`unloaded`), shows which share of
     * the calls waits at the callee:
     *
     *   next = limit · clamp(TOLERANCE · unloaded / mean, STEEPEST, 1) + max(1, ALLOWANCE · √limit)
     *
     * Without a queue the limit grows by the allowance. With a queue it settles where as many calls wait as the
     * allowance. So the limit is somewhat above what the callee works on at once; otherwise a permit that is free until
     * the next caller comes would be lost capacity.
     *
     * `unloaded` must be right, although under lasting load there is always a queue. An average would follow the
     * latency upwards for ever; a minimum would never learn that calls without a queue take longer now. So `unloaded`
     * falls when a mean is lower, and rises only by a probe: for a few calls the limit is PROBE times what the callee
     * works on at once, as far as is known. Then there is no queue, and the mean of the calls that began since is the
     * new `unloaded`. If `unloaded` is too high by a factor, so is the probe's limit; each probe halves the error, and
     * the first probes come soon after each other. Later a probe comes every INTERVAL periods with a queue, or when the
     * limit has fallen to half of what it was after the last probe: if that did not make calls faster, calls take
     * longer even without a queue.
     *
     * An overload cuts the limit, at most once in a round trip, as in Aimd.
     *
     * One addition to `tally` counts a call: | sum of nanoseconds | calls, 16 bits |. The call that completes the
     * number of calls computes the next period. A latency counts as at most about a minute, so the sum has room.
     */
    private static final double TOLERANCE = 1.1;
    private static final double STEEPEST = 0.4;
    private static final double ALLOWANCE = 0.75;
    private static final double PROBE = 0.5;
    private static final double CUT = 0.7;
    private static final int FIRST_INTERVAL = 2;
    private static final int INTERVAL = 32;

    private static final int FIRST_CALLS = 4;
    private static final int LEAST_CALLS = 8;
    private static final int MOST_CALLS = 1_000;

    private static final int COUNT_BITS = 16;
    private static final long COUNT = (1L << COUNT_BITS) - 1;
    private static final long LONGEST = 1L << 36;

    private static final AtomicLongFieldUpdater<Gradient> TALLY =
            AtomicLongFieldUpdater.newUpdater(Gradient.class, "tally");

    /** The limit before it is rounded down. */
    private final double exact;

    private final Known known;

    /** The limit to return to after this probe; 0 if this period is no probe. */
    private final double resume;

    private final int calls;

    @SuppressWarnings("unused") // written through TALLY
    private volatile long tally;

    /**
     * What the algorithm knows beyond one period.
     *
     * @param unloaded nanoseconds without a queue; 0: not known
     * @param after the limit after the last probe
     * @param interval the number of periods with a queue from probe to probe
     * @param left how many of them are left until the next probe
     */
    private record Known(double unloaded, double after, int interval, int left) {
        Known later(double unloaded, boolean queue) {
            return new Known(unloaded, after, interval, queue ? left - 1 : left);
        }

        Known probed(double unloaded, double limit) {
            int longer = Math.min(INTERVAL, 4 * interval);
            return new Known(unloaded, limit, longer, longer);
        }
    }

    Gradient(Range range, int limit, long since) {
        this(range, limit, since, new Known(0, 0, FIRST_INTERVAL, FIRST_INTERVAL), 0, FIRST_CALLS);
    }

    private Gradient(Range range, double exact, long since, Known known, double resume, int calls) {
        super(range, (int) exact, since);
        this.exact = exact;
        this.known = known;
        this.resume = resume;
        this.calls = calls;
    }

    @Override
    @Nullable
    LimitPeriod afterSuccess(long nanos, boolean inUse, long now) {
        boolean probing = resume > 0;
        if (!inUse && !probing) {
            return null;
        }
        long sum = TALLY.addAndGet(this, (Math.min(nanos, LONGEST) << COUNT_BITS) + 1);
        if ((sum & COUNT) != calls) {
            return null;
        }
        double mean = (double) (sum >>> COUNT_BITS) / calls;
        if (probing) {
            return go(resume, now, known.probed(mean, resume));
        }
        return known.unloaded == 0 ? go(exact, now, known.later(mean, false)) : move(mean, now);
    }

    private LimitPeriod move(double mean, long now) {
        double unloaded = Math.min(known.unloaded, (3 * known.unloaded + mean) / 4);
        double gradient = Math.max(STEEPEST, Math.min(1, TOLERANCE * unloaded / mean));
        double moved = range.clamp(exact * gradient + Math.max(1, ALLOWANCE * Math.sqrt(exact)));
        Known later = known.later(unloaded, gradient < 1);
        if (later.left > 0 && moved > later.after / 2) {
            return go(moved, now, later);
        }
        double low = range.clamp(Math.floor(PROBE * exact * unloaded / mean));
        if (low >= limit) { // this was as good as a probe
            return go(moved, now, later.probed(mean, moved));
        }
        return new Gradient(range, low, now, later, moved, Math.max(FIRST_CALLS, (int) Math.min(MOST_CALLS, low)));
    }

    private Gradient go(double moved, long now, Known later) {
        int next = Math.max(LEAST_CALLS, (int) Math.min(MOST_CALLS, moved));
        return new Gradient(range, moved, now, later, 0, next);
    }

    @Override
    LimitPeriod afterOverload(long now) {
        double later = resume > 0 ? range.clamp(resume * CUT) : 0;
        return new Gradient(range, range.clamp(exact * CUT), now, known, later, calls);
    }
}

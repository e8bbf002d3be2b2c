package io.tidegate.adaptive;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A limit that grows by one and falls by a factor: additive increase, multiplicative decrease. */
final class Aimd extends LimitPeriod {
    /*
     * The limit grows by one after as many successes as the limit, counting those that ended while the limit was in
     * use. An overload cuts it. Only calls that began after the last cut count: the effect of a cut shows one round
     * trip later, and the calls of that round trip report the same overload again.
     *
     * Only a round trip of failing calls shows that a limit is too high, and it costs as much as the callee can do in
     * that time. So a limit that was too high is remembered as a ceiling. The limit is soon just below the one that was
     * too high, and stays there for HOLD times as many successes before it tries a higher one.
     */
    private static final double CUT = 0.7;
    private static final int HOLD = 30;

    private static final AtomicIntegerFieldUpdater<Aimd> SUCCESSES =
            AtomicIntegerFieldUpdater.newUpdater(Aimd.class, "successes");

    private final int ceiling;

    @SuppressWarnings("unused") // written through SUCCESSES
    private volatile int successes;

    Aimd(Range range, int limit, long since) {
        this(range, limit, since, range.max());
    }

    private Aimd(Range range, int limit, long since, int ceiling) {
        super(range, limit, since);
        this.ceiling = ceiling;
    }

    @Override
    @Nullable
    LimitPeriod afterSuccess(long nanos, boolean inUse, long now) {
        if (!inUse || limit >= range.max()) {
            return null;
        }
        boolean held = limit >= ceiling;
        int needed = (int) Math.min(Integer.MAX_VALUE, (long) limit * (held ? HOLD : 1));
        if (SUCCESSES.incrementAndGet(this) != needed) {
            return null;
        }
        return new Aimd(range, limit + 1, since, held ? range.max() : ceiling);
    }

    @Override
    LimitPeriod afterOverload(long now) {
        int lower = (int) range.clamp(limit * CUT);
        return lower == limit ? this : new Aimd(range, lower, now, Math.max(lower, limit - 1));
    }
}

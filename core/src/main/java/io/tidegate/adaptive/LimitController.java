package io.tidegate.adaptive;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.MovingLimit;
import io.tidegate.measure.FlightEvents;
import io.tidegate.stage.Stages;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Keeps the current period of one bulkhead, and feeds it the ends of calls. */
final class LimitController implements MovingLimit {
    /*
     * The period is one reference. A thread whose call ends the period computes the next period from the one it has
     * seen and installs it by a compare-and-set; only the winner notifies the listener. The bulkhead reads the limit
     * from the period itself, so there is no copy that could be stale.
     *
     * A stamp is the lower 62 bits of the ticker's time. Differences are computed in these bits.
     */
    private static final long UNTIMED = Long.MAX_VALUE >>> 1;

    private static final AtomicReferenceFieldUpdater<LimitController, LimitPeriod> PERIOD =
            AtomicReferenceFieldUpdater.newUpdater(LimitController.class, LimitPeriod.class, "period");

    private final String name;
    private final LongSupplier ticker;
    private final Predicate<? super Throwable> isOverload;
    private final @Nullable IntConsumer listener;
    private volatile LimitPeriod period;

    LimitController(AdaptiveBuilder settings) {
        this.name = settings.name;
        this.ticker = settings.ticker;
        this.isOverload = settings.isOverload;
        this.listener = settings.onLimitChange;
        this.period = settings.start(begin());
    }

    @Override
    public int limit() {
        return period.limit;
    }

    @Override
    public long begin() {
        return time();
    }

    private long time() {
        try {
            return ticker.getAsLong() & UNTIMED;
        } catch (Throwable broken) { // the call goes on, but nothing can be learnt from it without a time
            return UNTIMED;
        }
    }

    @Override
    public long elapsed(long stamp) {
        long now = time();
        return stamp == UNTIMED || now == UNTIMED ? -1 : Math.max(0, elapsed(stamp, now));
    }

    @Override
    public void end(long stamp, int inFlight, @Nullable Throwable error, Verdict verdict) {
        boolean overload = verdict == Verdict.FAILED || (error != null && isOverload(error));
        boolean silent = verdict == Verdict.UNJUDGED || (error != null && !overload);
        long now = silent || stamp == UNTIMED ? UNTIMED : time();
        if (now == UNTIMED) {
            return;
        }
        for (LimitPeriod seen = period; elapsed(seen.since, stamp) >= 0; seen = period) {
            LimitPeriod next = overload
                    ? seen.afterOverload(now)
                    : seen.afterSuccess(Math.max(1, elapsed(stamp, now)), 2L * inFlight >= seen.limit, now);
            if (next == null || set(seen, next) || !overload) {
                return;
            }
        }
    }

    private static long elapsed(long from, long to) {
        return (to - from) << 2 >> 2;
    }

    private boolean set(LimitPeriod seen, LimitPeriod next) {
        if (!PERIOD.compareAndSet(this, seen, next)) {
            return false;
        }
        FlightEvents.limitChange("bulkhead", name, seen.limit, next.limit);
        if (listener != null && next.limit != seen.limit) {
            try {
                listener.accept(next.limit);
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
        return true;
    }

    private boolean isOverload(Throwable error) {
        Throwable bare = Stages.bare(error);
        if (bare == null || bare instanceof CancellationException) {
            return false;
        }
        try {
            return isOverload.test(bare);
        } catch (Throwable meansNo) {
            Stages.keepInterrupt(meansNo);
            return false;
        }
    }
}

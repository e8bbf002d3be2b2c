package io.tidegate.lab.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * An open loop: arrivals at a steady rate, however slowly the earlier ones are answered. One that starts late keeps its
 * due time, so that the delay counts as part of its latency.
 *
 * @param perSecond the rate
 * @param length how long they go on
 */
public record Arrivals(int perSecond, Duration length) {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    public int count() {
        return (int) (perSecond * length.toNanos() / SECOND);
    }

    /** Returns how many seconds have arrivals; the last one may be incomplete. */
    int seconds() {
        return Math.ceilDiv((int) length.toMillis(), 1_000);
    }

    /**
     * Makes every arrival happen on this thread when it is due, or at once if that is past. Returns when the length is
     * over, so that other arrivals can follow.
     */
    void run(Time time, Arrival arrival) throws InterruptedException {
        long start = time.nanos();
        for (int index = 0; index < count(); index++) {
            long offset = index * SECOND / perSecond;
            time.sleepUntil(start + offset);
            arrival.happen(start + offset, (int) (offset / SECOND));
        }
        time.sleepUntil(start + length.toNanos());
    }

    /** Is called when an arrival is due. */
    interface Arrival {
        /**
         * Must not wait for an answer.
         *
         * @param due when it should happen, on the clock of the loop, in nanoseconds
         * @param second the second of the loop that it belongs to, from 0
         */
        void happen(long due, int second);
    }
}

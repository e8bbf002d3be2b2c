package io.tidegate.lab.play;

import io.tidegate.Refusal;
import io.tidegate.lab.load.Time;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Counts what became of calls in the last two seconds. Thread-safe. */
final class Tally {
    private static final long SLOT_NANOS = 250_000_000;
    private static final int SLOTS = 8;

    /** How a call ended. */
    enum End {
        IN_TIME,
        LATE,
        REFUSED,
        FAILED
    }

    /**
     * What is shown of the calls of a lane, as rates a second.
     *
     * @param offered calls made
     * @param goodput calls answered while the caller waited
     * @param refused calls refused
     * @param late calls given up by their caller
     * @param failed calls that ended with another error
     * @param p99Millis the p99 of the calls that were not refused
     */
    record Rates(double offered, double goodput, double refused, double late, double failed, double p99Millis) {}

    private static final class Slot {
        private long number = -1;
        private int offered;
        private final int[] ends = new int[End.values().length];
        private final List<Long> waits = new ArrayList<>();

        void startOver(long number) {
            this.number = number;
            offered = 0;
            Arrays.fill(ends, 0);
            waits.clear();
        }
    }

    private final Time time;
    private final long start;
    private final Slot[] ring = new Slot[SLOTS + 1];

    Tally(Time time) {
        this.time = time;
        this.start = time.nanos();
        Arrays.setAll(ring, unused -> new Slot());
    }

    synchronized void offered() {
        now().offered++;
    }

    synchronized void ended(long waitedNanos, @Nullable Throwable error) {
        Slot slot = now();
        End end = endOf(error);
        slot.ends[end.ordinal()]++;
        if (end != End.REFUSED) {
            slot.waits.add(waitedNanos);
        }
    }

    private static End endOf(@Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        if (cause == null) {
            return End.IN_TIME;
        }
        if (cause instanceof TimeoutException) {
            return End.LATE;
        }
        return Refusal.in(cause).isPresent() ? End.REFUSED : End.FAILED;
    }

    private long number() {
        return (time.nanos() - start) / SLOT_NANOS;
    }

    private Slot now() {
        long number = number();
        Slot slot = ring[(int) (number % ring.length)];
        if (slot.number != number) {
            slot.startOver(number);
        }
        return slot;
    }

    /* Leaves out the present slot, which is not full yet. */
    synchronized Rates rates() {
        long current = number();
        int offered = 0;
        int[] ends = new int[End.values().length];
        List<Long> waits = new ArrayList<>();
        for (Slot slot : ring) {
            if (slot.number >= Math.max(0, current - SLOTS) && slot.number < current) {
                offered += slot.offered;
                Arrays.setAll(ends, end -> ends[end] + slot.ends[end]);
                waits.addAll(slot.waits);
            }
        }
        return new Rates(
                perSecond(offered),
                perSecond(ends[End.IN_TIME.ordinal()]),
                perSecond(ends[End.REFUSED.ordinal()]),
                perSecond(ends[End.LATE.ordinal()]),
                perSecond(ends[End.FAILED.ordinal()]),
                p99(waits));
    }

    private static double perSecond(int count) {
        return count * 1e9 / (SLOTS * SLOT_NANOS);
    }

    private static double p99(List<Long> waits) {
        if (waits.isEmpty()) {
            return 0;
        }
        Collections.sort(waits);
        return waits.get((int) Math.ceil(0.99 * waits.size()) - 1) / 1e6;
    }
}

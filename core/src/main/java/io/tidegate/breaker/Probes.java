package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** The probes of one half-open period: at most as many at a time as there are slots. */
final class Probes {
    /*
     * A slot's tag says everything about its holder, so that taking a slot is one compare-and-set:
     *
     *   63 … 35   sequence: rises with each holder
     *   34 … 3    unreported: a bit for each of the 32 holders before, set if that holder lost the slot and its
     *             outcome has not come
     *    2 … 0    LEFT      the holder has left, or there was none yet: free
     *             EVICTED   the holder lost the slot and its outcome has not come: free
     *             TAKEN     a thread has taken the slot, and has not looked yet whether the period goes on
     *             IN        the holder's call is admitted
     *             LEAVING   the holder's outcome was reported, and is being counted
     *             STUCK     as LEAVING; a thread that found no free slot has set the holder's time to that moment
     *             VOID      taken after the end of the period: it belongs to no thread
     *
     * A take may come before or after the end of its period, and only a later look at the period tells which. A thread
     * that finds the period going on changes TAKEN to IN: the taker itself, or a thread that would be refused because
     * of that take. A taker that finds the period over changes its take to VOID, unless another thread was quicker, and
     * then the take stands. So no call is refused because of a take that does not stand, and no take stands that came
     * after the end. If a taker never comes back, because its stack ends there, the next caller changes its take to IN,
     * and the slot is lost after the time of a probe, like any other.
     *
     * The times of a holder are written before IN: by the taker; or by a thread that enters in its place, which only
     * raises them, so that the taker's own compare-and-set fails. A thread that reads a tag, then a time, and then
     * changes the tag by compare-and-set, has decided by the time of exactly that holder.
     *
     * A holder leaves by IN -> LEAVING on its own sequence, which succeeds only once, and frees the slot after its
     * outcome is counted. A holder whose time is over loses its slot to the next taker, in the step that takes the
     * slot. A holder that is leaving has a whole probe time for that, however old it is, so that its decision comes
     * before its slot goes to another call.
     *
     * Slots above a lowered limit are closed: no thread takes them, and while one of them has a holder no thread takes
     * any slot. So a taker checks closed slots first. A thread that is refused has seen all open slots held in two
     * rounds with the same sequences, so they were held at one instant; or it has seen a closed slot held.
     */
    private static final int LEFT = 0;
    private static final int EVICTED = 1;
    private static final int TAKEN = 2;
    private static final int IN = 3;
    private static final int LEAVING = 4;
    private static final int STUCK = 5;
    private static final int VOID = 6;
    private static final int STATE_BITS = 3;
    private static final int REMEMBERED = 32;
    private static final int SEQUENCE_SHIFT = STATE_BITS + REMEMBERED;
    private static final long UNREPORTED_MASK = ((1L << REMEMBERED) - 1) << STATE_BITS;
    private static final int SLOT_BITS = 6;

    /** No slot was taken. */
    static final long NONE = -1;

    /** The take of the first probe. */
    static final long FIRST = take(0, 1);

    /** What became of a probe whose outcome is reported. */
    enum End {
        /** It held its slot until now. */
        IN_TIME,
        /** Its slot was taken from it. */
        EXPIRED,
        /** Its outcome was reported before, or it was never admitted. */
        UNKNOWN
    }

    /**
     * The slot of one probe: its tag, since when the holder has it, and the earliest time seen since then, if the clock
     * went back.
     */
    private static final class Slot {
        static final AtomicLongFieldUpdater<Slot> TAG = AtomicLongFieldUpdater.newUpdater(Slot.class, "tag");
        static final AtomicLongFieldUpdater<Slot> START = AtomicLongFieldUpdater.newUpdater(Slot.class, "start");
        static final AtomicLongFieldUpdater<Slot> EARLIEST = AtomicLongFieldUpdater.newUpdater(Slot.class, "earliest");

        volatile long tag;
        volatile long start;
        volatile long earliest;

        Slot(long now) {
            start = now;
            earliest = now;
        }

        boolean isHeld() {
            return isHeldBy(tag);
        }

        /**
         * Returns how long the holder has had the slot. While the clock is back before the holder's start, the time
         * counts from the earliest time seen, so that the slot is not held for longer. Once the clock is past the start
         * again, the time counts as if the clock had not gone back.
         */
        long age(long now) {
            long sinceStart = now - start;
            if (sinceStart >= 0) {
                return sinceStart;
            }
            long seen = earliest;
            if (now - seen < 0) {
                EARLIEST.compareAndSet(this, seen, now);
                return 0;
            }
            return now - seen;
        }

        /** Takes this slot for the next holder, if the tag is unchanged. */
        boolean tryTake(long tag, long now) {
            long oldStart = start;
            long oldEarliest = earliest;
            if (!TAG.compareAndSet(this, tag, taken(tag))) {
                return false;
            }
            START.compareAndSet(this, oldStart, now);
            EARLIEST.compareAndSet(this, oldEarliest, now);
            return true;
        }

        void raiseTimes(long oldStart, long oldEarliest, long now) {
            if (now - oldStart > 0) {
                START.compareAndSet(this, oldStart, now);
            }
            if (now - oldEarliest > 0) {
                EARLIEST.compareAndSet(this, oldEarliest, now);
            }
        }

        /** Changes the state of the holder with this sequence. */
        boolean trySet(long sequence, int from, int to) {
            for (; ; ) {
                long seen = tag;
                if (sequence(seen) != sequence || state(seen) != from) {
                    return false;
                }
                if (TAG.compareAndSet(this, seen, seen - from + to)) {
                    return true;
                }
            }
        }
    }

    private final Slot[] slots;
    private final long open; // a bit for each slot that is not closed
    private final AtomicLong ignored;
    private final AtomicLong successes;

    private Probes(Slot[] slots, long open, AtomicLong ignored, AtomicLong successes) {
        this.slots = slots;
        this.open = open;
        this.ignored = ignored;
        this.successes = successes;
    }

    /** Makes the slots, with the first probe in the first slot. */
    Probes(int limit, long now) {
        this(newSlots(limit, now), allOf(limit), new AtomicLong(), new AtomicLong());
        slots[0].tag = taken(LEFT) - TAKEN + IN;
    }

    private static Slot[] newSlots(int number, long now) {
        Slot[] slots = new Slot[number];
        for (int i = 0; i < number; i++) {
            slots[i] = new Slot(now);
        }
        return slots;
    }

    private static long allOf(int slots) {
        return -1L >>> (Long.SIZE - slots);
    }

    /**
     * Returns the same probes with another limit. Running probes stay in their slots, and slots with a probe are
     * preferred as open slots.
     */
    Probes withLimit(int limit, long now) {
        Slot[] enough = slots;
        if (limit > slots.length) {
            enough = newSlots(limit, now);
            System.arraycopy(slots, 0, enough, 0, slots.length);
        }
        long all = allOf(enough.length);
        long held = 0;
        for (int i = 0; i < enough.length; i++) {
            held |= enough[i].isHeld() ? 1L << i : 0;
        }
        long chosen = lowest(held, limit);
        chosen |= lowest(all & ~held, limit - Long.bitCount(chosen));
        return new Probes(enough, chosen, ignored, successes);
    }

    private static long lowest(long bits, int number) {
        long rest = bits;
        for (int i = 0; i < number; i++) {
            rest &= rest - 1;
        }
        return bits & ~rest;
    }

    /**
     * Takes a free slot, or else a slot whose holder's time is over.
     *
     * @return the take, or {@link #NONE} if there was no such slot
     */
    long tryTake(long now, long timeout) {
        if (evictFromClosedSlots(now, timeout)) {
            return NONE;
        }
        for (long left = open; left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            long tag = slots[slot].tag;
            if (isFree(tag) && slots[slot].tryTake(tag, now)) {
                return take(slot, sequence(taken(tag)));
            }
        }
        for (long left = open; left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            long tag = slots[slot].tag;
            if (isOverdue(slots[slot], tag, now, timeout) && slots[slot].tryTake(tag, now)) {
                return take(slot, sequence(taken(tag)));
            }
        }
        return NONE;
    }

    /* Evicts the holders in closed slots whose time is over. Returns whether one of these slots is still held. */
    private boolean evictFromClosedSlots(long now, long timeout) {
        for (long left = allOf(slots.length) & ~open; left != 0; left &= left - 1) {
            Slot slot = slots[Long.numberOfTrailingZeros(left)];
            long tag = slot.tag;
            if (isOverdue(slot, tag, now, timeout)) {
                slot.trySet(sequence(tag), state(tag), state(tag) == IN ? EVICTED : LEFT);
            }
            if (slot.isHeld()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOverdue(Slot slot, long tag, long now, long timeout) {
        return (state(tag) == IN || state(tag) == STUCK) && slot.age(now) >= timeout;
    }

    /**
     * Returns a take that has not been entered, or {@link #NONE}. Its time counts from now, and so does the time of
     * every holder that is leaving.
     */
    long refreshAndFindTaken(long now) {
        for (int i = 0; i < slots.length; i++) {
            Slot slot = slots[i];
            long oldStart = slot.start;
            long oldEarliest = slot.earliest;
            long tag = slot.tag;
            if (state(tag) == TAKEN || state(tag) == LEAVING) {
                slot.raiseTimes(oldStart, oldEarliest, now);
                if (state(tag) == TAKEN) {
                    return take(i, sequence(tag));
                }
                slot.trySet(sequence(tag), LEAVING, STUCK);
            }
        }
        return NONE;
    }

    /** Returns whether all slots were held at one instant, by takes that stand. */
    boolean isFull() {
        for (long left = allOf(slots.length) & ~open; left != 0; left &= left - 1) {
            if (isEntered(slots[Long.numberOfTrailingZeros(left)].tag)) {
                return true;
            }
        }
        long first = holders();
        return first != NONE && (Long.bitCount(open) == 1 || first == holders());
    }

    /**
     * The sum of all holders' sequences, which changes if any holder changes; {@link #NONE} if a slot has no holder.
     */
    private long holders() {
        long sum = 0;
        for (long left = open; left != 0; left &= left - 1) {
            long tag = slots[Long.numberOfTrailingZeros(left)].tag;
            if (!isEntered(tag)) {
                return NONE;
            }
            sum += sequence(tag);
        }
        return sum;
    }

    /** Makes a take stand. The calling thread has seen after the take that the period goes on. */
    void enter(long take) {
        slots[slot(take)].trySet(take >>> SLOT_BITS, TAKEN, IN);
    }

    /** Gives up a take whose period is over. Returns false if the take stands. */
    boolean giveUp(long take) {
        return slots[slot(take)].trySet(take >>> SLOT_BITS, TAKEN, VOID);
    }

    /** Reports a holder's outcome. If the holder has its slot until now, {@link #free} must follow. */
    End leave(int slot, int sequence) {
        if (slot >= slots.length) {
            return End.UNKNOWN;
        }
        Slot mine = slots[slot];
        for (; ; ) {
            long tag = mine.tag;
            int behind = ((int) sequence(tag) - sequence) & Stamp.SEQUENCE_MASK;
            if (behind > REMEMBERED) {
                return End.EXPIRED;
            }
            long next;
            if (behind > 0) {
                next = tag & ~(1L << (STATE_BITS + behind - 1));
            } else if (state(tag) == IN) {
                next = tag - IN + LEAVING;
            } else {
                next = state(tag) == EVICTED ? tag - EVICTED + LEFT : tag;
            }
            if (next == tag) {
                return End.UNKNOWN;
            }
            if (Slot.TAG.compareAndSet(mine, tag, next)) {
                return state(next) == LEAVING && behind == 0 ? End.IN_TIME : End.EXPIRED;
            }
        }
    }

    /** Frees the slot of a holder that has left in time, unless another call has the slot by now. */
    void free(int slot, int sequence) {
        long tag = slots[slot].tag;
        if (((int) sequence(tag) & Stamp.SEQUENCE_MASK) == sequence) {
            if (!slots[slot].trySet(sequence(tag), LEAVING, LEFT)) {
                slots[slot].trySet(sequence(tag), STUCK, LEFT);
            }
        }
    }

    /** Returns when the present holder took the slot. */
    long start(int slot) {
        return slot < slots.length ? slots[slot].start : 0;
    }

    /** Returns how long the oldest holder has had its slot. */
    long longestAge(long now) {
        long longest = 0;
        for (Slot slot : slots) {
            if (slot.isHeld()) {
                longest = Math.max(longest, slot.age(now));
            }
        }
        return longest;
    }

    long succeed() {
        return successes.incrementAndGet();
    }

    void ignore() {
        ignored.incrementAndGet();
    }

    int inFlight() {
        int held = 0;
        for (Slot slot : slots) {
            held += slot.isHeld() ? 1 : 0;
        }
        return held;
    }

    Counts counts() {
        long ended = successes.get();
        long left = ignored.get();
        long takes = 0;
        for (Slot slot : slots) {
            takes += sequence(slot.tag);
        }
        return new Counts(Math.max(ended, takes - left), ended, 0, ended, 0);
    }

    /** Returns the slot and the sequence number of a take, as they are in a stamp. */
    static int holder(long take) {
        return Stamp.holder(slot(take), take >>> SLOT_BITS);
    }

    private static long take(int slot, long sequence) {
        return (sequence << SLOT_BITS) | slot;
    }

    private static int slot(long take) {
        return (int) take & ((1 << SLOT_BITS) - 1);
    }

    /** Returns the tag of the next holder. */
    private static long taken(long tag) {
        long unreported = ((tag & UNREPORTED_MASK) << 1) & UNREPORTED_MASK;
        long last = state(tag) == IN || state(tag) == EVICTED ? 1L << STATE_BITS : 0;
        return ((sequence(tag) + 1) << SEQUENCE_SHIFT) | unreported | last | TAKEN;
    }

    private static boolean isFree(long tag) {
        return state(tag) == LEFT || state(tag) == EVICTED;
    }

    private static boolean isEntered(long tag) {
        return state(tag) == IN || state(tag) == LEAVING || state(tag) == STUCK;
    }

    private static boolean isHeldBy(long tag) {
        return state(tag) == TAKEN || isEntered(tag);
    }

    private static int state(long tag) {
        return (int) tag & ((1 << STATE_BITS) - 1);
    }

    private static long sequence(long tag) {
        return tag >>> SEQUENCE_SHIFT;
    }
}

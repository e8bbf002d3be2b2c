package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicInteger;

/** The bits of a stamp. */
final class Stamp {
    /*
     *            63  62   61 … 44      43 … 22       21 … 16   15 … 0
     * call        0   1   generation   time since the period began, modulo 2^44 units (only if calls can be slow)
     * probe       0   0   generation   breaker       slot      sequence
     * refusal     1   why: see RefusedStamp
     *
     * A stamp says which period admitted its call, so that the outcome counts there or nowhere. Generations are
     * compared modulo 2^18: a stamp would be mistaken only exactly that many state changes later.
     *
     * A probe's stamp names the breaker, the slot and the slot's holder, so that a stamp that is used twice, or on
     * another breaker, is recognised. A call's stamp has no room for that and needs none: see OutcomeWindow for why a
     * call reported twice does no harm.
     *
     * The start time in a call's stamp is in units of a power of two nanoseconds, at most a four-millionth of the time
     * above which a call is slow, and rounded up. So a call never seems longer than it was, and shorter by at most a
     * unit. The start time wraps: a call is recognised as slow up to more than a million times that limit.
     */
    static final int GENERATION_SHIFT = 44;
    static final long GENERATION_MASK = (1L << 18) - 1;
    static final long OFFSET_MASK = (1L << GENERATION_SHIFT) - 1;
    private static final long FARTHEST_BACK = 1L << 42;
    private static final int UNITS_OF_LIMIT_BITS = 22;
    private static final long CALL = 1L << 62;
    private static final int BREAKER_SHIFT = 22;
    private static final int BREAKER_MASK = (1 << 22) - 1;
    private static final int SLOT_SHIFT = 16;
    private static final int SLOT_MASK = (1 << 6) - 1;
    static final int SEQUENCE_MASK = (1 << 16) - 1;

    private static final AtomicInteger BREAKERS = new AtomicInteger();

    private Stamp() {}

    /** Numbers from 1 on, so that no probe's stamp is zero. */
    static int nextBreaker() {
        return Math.floorMod(BREAKERS.getAndIncrement(), BREAKER_MASK) + 1;
    }

    static long call(long generation) {
        return CALL | ((generation & GENERATION_MASK) << GENERATION_SHIFT);
    }

    static long probe(long generation, int breaker, int holder) {
        return ((generation & GENERATION_MASK) << GENERATION_SHIFT) | ((long) breaker << BREAKER_SHIFT) | holder;
    }

    /** The part of a probe's stamp that identifies it among the probes of its period. */
    static int holder(int slot, long sequence) {
        return (slot << SLOT_SHIFT) | ((int) sequence & SEQUENCE_MASK);
    }

    /** The unit of start times, as a shift, if calls are slow from {@code slowerThan} nanoseconds on. */
    static int shiftFor(long slowerThan) {
        return Long.SIZE - Long.numberOfLeadingZeros(slowerThan >> (UNITS_OF_LIMIT_BITS + 1));
    }

    /** The start time that goes into a stamp, given the nanoseconds since the period began. */
    static long start(long sincePeriod, int shift) {
        return ((sincePeriod + (1L << shift) - 1) >> shift) & OFFSET_MASK;
    }

    /** How long ago the call of a stamp began, in nanoseconds; negative if the clock went back. */
    static long elapsed(long stamp, long sincePeriod, int shift) {
        long units = (((sincePeriod >> shift) - stamp + FARTHEST_BACK) & OFFSET_MASK) - FARTHEST_BACK;
        return (units << shift) + (sincePeriod & ((1L << shift) - 1));
    }

    static boolean isCall(long stamp) {
        return (stamp & CALL) != 0;
    }

    static boolean isOf(long generation, long stamp) {
        return (((stamp >>> GENERATION_SHIFT) ^ generation) & GENERATION_MASK) == 0;
    }

    static int breaker(long stamp) {
        return (int) (stamp >>> BREAKER_SHIFT) & BREAKER_MASK;
    }

    static int slot(long stamp) {
        return (int) (stamp >>> SLOT_SHIFT) & SLOT_MASK;
    }

    static int sequence(long stamp) {
        return (int) stamp & SEQUENCE_MASK;
    }
}

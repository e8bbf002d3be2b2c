package io.tidegate.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Counters in one row, and in more of them once threads meet there. */
abstract class Stripes {
    /*
     * A counter is the sum over all rows of what they have in its place. At rest there is one row, which all threads
     * add to. Who looks at a counter, adds one and finds that it added to something else has met another thread.
     * Threads that keep meeting make two rows, and twice as many each time it goes on; each thread then adds to the row
     * that its number falls to. So there are as many rows as threads have met, and adding them up does not cost more
     * where there are more processors: these are only the limit.
     *
     * A row, once made, is in every later table, and rows are never set back: no count is lost while the table grows.
     * The row of the beginning keeps what it has and is added to no more, for it lies close to what all threads read.
     * The others have free space around their counters, so that no cache line has those of two rows.
     *
     * Where memory or the stack ends while rows are made, threads go on meeting in those there are.
     */
    private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(long[].class);
    private static final AtomicReferenceFieldUpdater<Stripes, long[][]> ROWS =
            AtomicReferenceFieldUpdater.newUpdater(Stripes.class, long[][].class, "rows");
    private static final int SPACE = 8;
    private static final int FIRST_ROWS = 2;
    private static final long[][] NONE = {};
    private static final int MANY_MEETINGS = 64;

    /** Where the counters of a row begin. */
    static final int START = SPACE;

    /** The most rows that threads make. */
    static final int MOST_ROWS = mostRows();

    private final long[] first;
    private volatile long[][] rows = NONE;
    private int meetings; // about so many, as threads meet here too

    /** With so many counters in a row. */
    Stripes(int counters) {
        first = new long[START + counters];
    }

    private static int mostRows() {
        int wanted = Math.min(64, Math.max(4, 4 * Runtime.getRuntime().availableProcessors()));
        return Integer.highestOneBit(wanted * 2 - 1);
    }

    /** The row of the beginning. */
    final long[] first() {
        return first;
    }

    /** The rows that were made since, twice as many each time. */
    final long[][] more() {
        return rows;
    }

    /** The row that this thread adds to. */
    final long[] row() {
        long[][] table = rows;
        return table.length == 0 ? first : table[number(table.length)];
    }

    private static int number(int rows) {
        return ((int) Thread.currentThread().getId() * 0x9E3779B9) >>> (1 + Integer.numberOfLeadingZeros(rows));
    }

    static long get(long[] row, int index) {
        return (long) COUNTER.getVolatile(row, index);
    }

    static boolean compareAndSet(long[] row, int index, long seen, long next) {
        return COUNTER.compareAndSet(row, index, seen, next);
    }

    /** Adds one where all threads add to the same row, and returns what was there. */
    static long getAndIncrement(long[] row, int index) {
        return (long) COUNTER.getAndAdd(row, index, 1L);
    }

    /** Adds one in {@link #row}. */
    final void increment(long[] row, int index) {
        long seen = get(row, index);
        if (getAndIncrement(row, index) != seen) {
            meet(row);
        }
    }

    /** Another thread added to this row at the same instant. */
    @SuppressWarnings("ReferenceEquality") // the very row, whatever is in it
    final void meet(long[] row) {
        if (rows.length < MOST_ROWS && row == row() && ++meetings >= MANY_MEETINGS) {
            meetings = 0;
            spread();
        }
    }

    /** Makes twice as many rows, up to the most. */
    final void spread() {
        long[][] table = rows;
        if (table.length < MOST_ROWS) {
            try {
                ROWS.compareAndSet(this, table, twice(table));
            } catch (OutOfMemoryError | StackOverflowError none) {
                // What was to be counted is counted, and there is a row for what comes.
            }
        }
    }

    private long[][] twice(long[][] table) {
        long[][] twice = new long[Math.max(FIRST_ROWS, 2 * table.length)][];
        for (int i = 0; i < twice.length; i++) {
            twice[i] = i % 2 == 0 && i < 2 * table.length ? table[i / 2] : newRow();
        }
        return twice;
    }

    /** A row among several. */
    long[] newRow() {
        return new long[first.length + SPACE];
    }

    /** What a counter has. */
    final long sum(int index) {
        long sum = get(first, index);
        for (long[] row : rows) {
            sum += get(row, index);
        }
        return sum;
    }
}

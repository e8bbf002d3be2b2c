package io.tidegate.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Counters in one row, or in more rows once threads meet in it. */
abstract class Stripes {
    /*
     * The value of a counter is the sum of its entries in all rows. At first there is one row, to which all threads
     * add. A thread that reads an entry, adds one and finds that the entry had changed in between has met another
     * thread. Threads that keep meeting double the number of rows; each thread then adds to the row given by its
     * number. So the number of rows, and the cost of adding them up, depends on how many threads meet; the number of
     * processors only limits it.
     *
     * A row, once made, is in every later table, and is never set back: no count is lost while the table grows. The
     * first row keeps its counts, but no thread adds to it once there are more rows, because it lies close to what all
     * threads read. The other rows have free space around their counters, so that no cache line has counters of two
     * rows.
     *
     * If memory or the stack ends while rows are made, threads go on meeting in the existing ones.
     */
    private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(long[].class);
    private static final AtomicReferenceFieldUpdater<Stripes, long[][]> ROWS =
            AtomicReferenceFieldUpdater.newUpdater(Stripes.class, long[][].class, "rows");
    private static final int SPACE = 8;
    private static final int FIRST_ROWS = 2;
    private static final long[][] NONE = {};
    private static final int MANY_MEETINGS = 64;

    /** The index of the first counter in a row. */
    static final int START = SPACE;

    /** The most rows that threads make. */
    static final int MOST_ROWS = mostRows();

    private final long[] first;
    private volatile long[][] rows = NONE;
    private int meetings; // approximate, because several threads write it

    /** Makes rows with so many counters each. */
    Stripes(int counters) {
        first = new long[START + counters];
    }

    private static int mostRows() {
        int wanted = Math.min(64, Math.max(4, 4 * Runtime.getRuntime().availableProcessors()));
        return Integer.highestOneBit(wanted * 2 - 1);
    }

    /** The first row. */
    final long[] first() {
        return first;
    }

    /** The rows that were made later. */
    final long[][] more() {
        return rows;
    }

    /** The row to which this thread adds. */
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

    /** Adds one to an entry that all threads share, and returns its value before. */
    static long getAndIncrement(long[] row, int index) {
        return (long) COUNTER.getAndAdd(row, index, 1L);
    }

    /** Adds one to an entry of {@link #row}. */
    final void increment(long[] row, int index) {
        long seen = get(row, index);
        if (getAndIncrement(row, index) != seen) {
            meet(row);
        }
    }

    /** Called when another thread has added to this row at the same time. */
    @SuppressWarnings("ReferenceEquality") // the same row is meant, not one with equal counts
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
                // The count itself was added before, and there is a row for the next counts.
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

    /** Makes one of several rows. */
    long[] newRow() {
        return new long[first.length + SPACE];
    }

    /** The value of a counter. */
    final long sum(int index) {
        long sum = get(first, index);
        for (long[] row : rows) {
            sum += get(row, index);
        }
        return sum;
    }
}

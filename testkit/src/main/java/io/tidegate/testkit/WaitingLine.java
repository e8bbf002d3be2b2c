package io.tidegate.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Offsets in the order in which they came. Immutable, and yet cheap to lengthen and to shorten. */
final class WaitingLine {
    /*
     * Lines share an array: a line that is made longer keeps the array of the shorter line and fills it further. Only
     * the first line to grow can do that; others copy the array. The hash is that of a list. The removal of the head
     * needs the next lower power of 31; 31 has an inverse modulo 2^32.
     */
    private static final int BASE = 31;
    private static final int INVERSE = 0xBDEF7BDF;

    private static final class Room {
        private long[] items = new long[8];
        private int used;
    }

    private final Room room;
    private final int from;
    private final int to;
    private final int hash;
    private final int power;

    /** Makes an empty line. */
    WaitingLine() {
        this(new Room(), 0, 0, 0, 1);
    }

    private WaitingLine(Room room, int from, int to, int hash, int power) {
        this.room = room;
        this.from = from;
        this.to = to;
        this.hash = hash;
        this.power = power;
    }

    static WaitingLine of(List<Long> offsets) {
        WaitingLine line = new WaitingLine();
        for (long offset : offsets) {
            line = line.with(offset);
        }
        return line;
    }

    /** Null if the line is empty. */
    @Nullable
    Long head() {
        return from == to ? null : room.items[from];
    }

    WaitingLine with(long offset) {
        Room target = room;
        int first = from;
        int end = to;
        if (target.used != to) {
            target = new Room();
            target.items = Arrays.copyOfRange(room.items, from, to + 8);
            first = 0;
            end = to - from;
        }
        if (end == target.items.length) {
            target.items = Arrays.copyOf(target.items, 2 * end);
        }
        target.items[end] = offset;
        target.used = end + 1;
        return new WaitingLine(target, first, end + 1, BASE * hash + Long.hashCode(offset), BASE * power);
    }

    WaitingLine withoutHead() {
        int less = INVERSE * power;
        return new WaitingLine(room, from + 1, to, hash - Long.hashCode(room.items[from]) * less, less);
    }

    /** Returns this line with another head before all others. */
    WaitingLine withHead(long offset) {
        List<Long> longer = new ArrayList<>(List.of(offset));
        longer.addAll(offsets());
        return of(longer);
    }

    List<Long> offsets() {
        return LongStream.of(Arrays.copyOfRange(room.items, from, to)).boxed().toList();
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof WaitingLine other
                && hash == other.hash
                && Arrays.equals(room.items, from, to, other.room.items, other.from, other.to);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}

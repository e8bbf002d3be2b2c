package io.tidegate.jdbc;

import io.tidegate.jdbc.DomainRow.Run;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** A row of processed offsets: up to a few hundred runs, of which all but the last are packed. Immutable. */
final class PackedRuns {
    /*
     * The functions of PostgreSQL and the procedures of MariaDB use the same format, byte by byte. Each packed run is
     * one or two numbers. The first is the distance from the end of the run to the next run, less 2, doubled, plus 1 if
     * the run is longer than one offset. The second, for a longer run only, is the number of its further offsets, less
     * 1. A number is stored in 7 bits of each byte, the lowest first, and all its bytes but the last have 128 added. So
     * a run can be added behind the last one, or before the first, without reading the others.
     */

    /** A row with this many bytes or more takes no further run at its ends. */
    private static final int FULL = 256;

    /** A row with more bytes than this is split. */
    private static final int TOO_LONG = 300;

    /** The span of a row is less than this, so that no number becomes too great. */
    private static final long WIDEST = 1L << 60;

    private static final int MORE = 128;

    private final long first;
    private final Run tail;
    private final byte[] packed;

    PackedRuns(long first, Run tail, byte[] packed) {
        this.first = first;
        this.tail = tail;
        this.packed = packed.clone();
    }

    static PackedRuns of(Run run) {
        return new PackedRuns(run.first(), run, new byte[0]);
    }

    long first() {
        return first;
    }

    /** The last run. */
    Run tail() {
        return tail;
    }

    /** The runs before the last one. */
    byte[] packed() {
        return packed.clone();
    }

    boolean contains(long offset) {
        return tail.contains(offset)
                || (first <= offset
                        && offset < tail.first()
                        && walk(0, first, offset, packed.length).run().contains(offset));
    }

    /** Whether the run, which lies outside this row, fits into the row. */
    boolean hasRoomFor(Run run) {
        long span = Math.max(tail.last(), run.last()) - Math.min(first, run.first());
        return packed.length < FULL && Long.compareUnsigned(span, WIDEST) < 0;
    }

    /** Adds a run that the row does not contain yet. Splits the result if it has become too long. */
    List<PackedRuns> with(Run run) {
        PackedRuns all = run.first() > tail.last() ? appended(run) : inserted(run);
        return all.packed.length > TOO_LONG ? all.halves() : List.of(all);
    }

    private PackedRuns appended(Run run) {
        if (tail.last() + 1 == run.first()) {
            return new PackedRuns(first, new Run(tail.first(), run.last()), packed);
        }
        return new PackedRuns(first, run, joined(packed, packed(tail, run.first())));
    }

    /* Inserts the run before the first run or between two runs, and joins it with the runs that it touches. */
    private PackedRuns inserted(Run run) {
        byte[] before = new byte[0];
        int behind = 0;
        long next = first;
        Run grown = run;
        if (run.first() > first) {
            Packed place = walk(0, first, run.first(), packed.length);
            before = Arrays.copyOf(packed, place.begins());
            behind = place.ends();
            next = place.next();
            if (place.run().last() + 1 == run.first()) {
                grown = new Run(place.run().first(), run.last());
            } else {
                before = joined(before, packed(place.run(), run.first()));
            }
        }
        long begin = Math.min(first, run.first());
        if (run.last() + 1 < next) {
            return new PackedRuns(begin, tail, joined(before, packed(grown, next), from(behind)));
        }
        if (next < tail.first()) {
            Packed after = walk(behind, next, next, 0);
            Run both = new Run(grown.first(), after.run().last());
            return new PackedRuns(begin, tail, joined(before, packed(both, after.next()), from(after.ends())));
        }
        return new PackedRuns(begin, new Run(grown.first(), tail.last()), before);
    }

    private List<PackedRuns> halves() {
        Packed half = walk(0, first, tail.last(), FULL / 2);
        return List.of(
                new PackedRuns(first, half.run(), Arrays.copyOf(packed, half.begins())),
                new PackedRuns(half.next(), tail, from(half.ends())));
    }

    private byte[] from(int begin) {
        return Arrays.copyOfRange(packed, begin, packed.length);
    }

    /**
     * A packed run: the index of its first byte, the index after its last byte, the run, and the offset at which the
     * next run begins.
     */
    private record Packed(int begins, int ends, Run run, long next) {}

    /*
     * Returns the last run that begins before the offset, or the first run that ends after this many bytes. The search
     * begins at the run at fromByte.
     */
    private Packed walk(int fromByte, long fromOffset, long offset, int enough) {
        ByteBuffer bytes = ByteBuffer.wrap(packed).position(fromByte);
        long next = fromOffset;
        while (true) {
            int begins = bytes.position();
            long distance = number(bytes);
            Run run = new Run(next, (distance & 1) == 0 ? next : next + number(bytes) + 1);
            next = run.last() + (distance >> 1) + 2;
            if (next > offset || bytes.position() >= enough) {
                return new Packed(begins, bytes.position(), run, next);
            }
        }
    }

    private static long number(ByteBuffer bytes) {
        long number = 0;
        for (int shift = 0; ; shift += 7) {
            byte bits = bytes.get();
            number |= (long) (bits & (MORE - 1)) << shift;
            if (bits >= 0) {
                return number;
            }
        }
    }

    private static byte[] packed(Run run, long next) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long distance = (next - run.last() - 2) * 2;
        if (run.first() == run.last()) {
            write(distance, bytes);
        } else {
            write(distance + 1, bytes);
            write(run.last() - run.first() - 1, bytes);
        }
        return bytes.toByteArray();
    }

    private static void write(long number, ByteArrayOutputStream bytes) {
        long rest = number;
        while (rest >= MORE) {
            bytes.write((int) (rest & (MORE - 1)) | MORE);
            rest >>= 7;
        }
        bytes.write((int) rest);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}

package io.tidegate.lease;

import java.util.Arrays;

/** A set of offsets that needs little memory, very little where offsets are dense. Not thread-safe. */
final class OffsetSet {
    /*
     * The set is a list of chunks in order, each for the offsets of one stretch; stretches do not overlap. OffsetChunk
     * describes how a chunk keeps its offsets. A new offset goes to the chunk whose stretch it is in; otherwise to the
     * chunk before or after it, if that takes the offset cheaply; otherwise into a chunk of its own. Runs that touch
     * become one.
     *
     * The work of a chunk for an offset is bounded. The list of chunks is an array: inserting a chunk moves references,
     * one for some hundred offsets, which is less than the chunk's own work up to a hundred million offsets.
     */
    private OffsetChunk[] chunks = new OffsetChunk[1];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The number of offsets; takes time in proportion to the number of chunks. */
    long count() {
        long count = 0;
        for (int i = 0; i < size; i++) {
            count += chunks[i].count();
        }
        return count;
    }

    boolean contains(long offset) {
        int at = lastFrom(offset);
        return at >= 0 && chunks[at].contains(offset);
    }

    void add(long offset) {
        int at = lastFrom(offset);
        if (at >= 0 && chunks[at].contains(offset)) {
            return;
        }
        if (at >= 0 && chunks[at].spans(offset) && !chunks[at].takes(offset)) {
            makeRoom(1);
            insert(at + 1, chunks[at].splitOff());
            at = lastFrom(offset);
        }
        if (at >= 0 && chunks[at].takes(offset)) {
            addTo(at, offset);
        } else if (at + 1 < size && chunks[at + 1].takes(offset)) {
            addTo(at + 1, offset);
        } else {
            makeRoom(1);
            insert(at + 1, new OffsetChunk(offset, offset));
        }
    }

    private void addTo(int at, long offset) {
        chunks[at].add(offset);
        if (at + 1 < size && chunks[at].join(chunks[at + 1])) {
            delete(at + 1);
        }
        if (at > 0 && chunks[at - 1].join(chunks[at])) {
            delete(at);
        }
    }

    /** Drops chunks that end at or before this offset; a chunk that goes beyond it stays whole. */
    void dropUpTo(long upTo) {
        int dropped = lastFrom(upTo);
        if (dropped >= 0 && chunks[dropped].endsBy(upTo)) {
            dropped++;
        }
        if (dropped > 0) {
            chunks = Arrays.copyOfRange(chunks, dropped, Math.max(size, dropped + 1));
            size -= dropped;
        }
    }

    /* Returns the index of the last chunk that begins at or before the offset, or -1. */
    private int lastFrom(long offset) {
        int low = 0;
        int high = size - 1;
        if (high >= 0 && chunks[high].first() <= offset) {
            return high; // work mostly comes in order
        }
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (chunks[middle].first() <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /* Makes room before the first change, so that nothing is half done when memory is short. */
    private void makeRoom(int more) {
        if (size + more > chunks.length) {
            chunks = Arrays.copyOf(chunks, size + size / 2 + more);
        }
    }

    private void insert(int at, OffsetChunk chunk) {
        System.arraycopy(chunks, at, chunks, at + 1, size - at);
        chunks[at] = chunk;
        size++;
    }

    @SuppressWarnings("NullAway")
    private void delete(int at) {
        size--;
        System.arraycopy(chunks, at + 1, chunks, at, size - at);
        chunks[size] = null;
    }
}

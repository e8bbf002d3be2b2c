package io.tidegate.lease;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** Offsets in order of arrival, each once. Not thread-safe. */
final class Backlog {
    /*
     * A ring has the offsets in order. `index` finds them: a table with open addressing and linear probing. At or after
     * the home of an offset, it has the offset's place in the ring plus one; 0 is a free slot. Its size is twice that
     * of the ring, so it is never more than half full. Only the head leaves, and the entries behind it close the gap,
     * so there are no tombstones. A ring of up to SCANNED offsets has no table.
     *
     * Both double when full and halve when a quarter full, so each offset pays for a constant number of moves. New
     * arrays are made before anything changes.
     */
    private static final int SMALLEST = 4;
    private static final int SCANNED = 8;
    private static final long SECRET = new SecureRandom().nextLong();
    private static final long SECRET_FACTOR = new SecureRandom().nextLong() | 1;

    private long[] ring = new long[SMALLEST];
    private int @Nullable [] index;
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Must not be called while the backlog is empty. */
    long head() {
        return ring[head];
    }

    boolean contains(long offset) {
        return index == null ? isInRing(offset) : index[slot(index, offset)] != 0;
    }

    /** Makes room for one more offset: adding it cannot fail for lack of memory afterwards. */
    void makeRoom() {
        if (size == ring.length) {
            resize(Math.multiplyExact(size, 2));
        }
    }

    /** Puts the offset at the tail unless it is here already. */
    void add(long offset) {
        if (contains(offset)) {
            return;
        }
        makeRoom();
        int place = place(size);
        ring[place] = offset;
        if (index != null) {
            index[slot(index, offset)] = place + 1;
        }
        size++;
    }

    /** Must not be called while the backlog is empty. */
    void removeHead() {
        if (ring.length > SMALLEST && size <= ring.length / 4) {
            resize(ring.length / 2);
        }
        if (index != null) {
            free(index, slot(index, ring[head]));
        }
        head = place(1);
        size--;
    }

    /** Returns the first offsets, at most so many. */
    long[] first(int most) {
        return from(0, most);
    }

    /** Returns the offsets behind this one, at most so many; none if this one is not here. */
    long[] behind(long offset, int most) {
        return contains(offset) ? from(position(offset) + 1, most) : new long[0];
    }

    private long[] from(int position, int most) {
        long[] offsets = new long[Math.min(most, size - position)];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = ring[place(position + i)];
        }
        return offsets;
    }

    /* Returns how many offsets are before this one. */
    private int position(long offset) {
        if (index != null) {
            return (index[slot(index, offset)] - 1 - head) & (ring.length - 1);
        }
        int position = 0;
        while (ring[place(position)] != offset) {
            position++;
        }
        return position;
    }

    private boolean isInRing(long offset) {
        for (int i = 0; i < size; i++) {
            if (ring[place(i)] == offset) {
                return true;
            }
        }
        return false;
    }

    /* Returns the place of the i-th offset in the ring. */
    private int place(int i) {
        return (head + i) & (ring.length - 1);
    }

    private long[] copyOf(int length) {
        long[] copy = new long[length];
        int beforeWrap = Math.min(size, ring.length - head);
        System.arraycopy(ring, head, copy, 0, beforeWrap);
        System.arraycopy(ring, 0, copy, beforeWrap, size - beforeWrap);
        return copy;
    }

    private void resize(int length) {
        int[] newIndex = length <= SCANNED ? null : new int[Math.multiplyExact(length, 2)];
        ring = copyOf(length);
        head = 0;
        if (newIndex != null) {
            for (int place = 0; place < size; place++) {
                newIndex[slot(newIndex, ring[place])] = place + 1;
            }
        }
        index = newIndex;
    }

    /* Returns the slot that has the offset, or the free slot that would get it. */
    private int slot(int[] table, long offset) {
        int mask = table.length - 1;
        int slot = home(offset) & mask;
        while (table[slot] != 0 && ring[table[slot] - 1] != offset) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /* Frees a slot. Each entry that follows moves into the gap, unless the gap is before the entry's home. */
    private void free(int[] table, int slot) {
        int mask = table.length - 1;
        int gap = slot;
        for (int next = (gap + 1) & mask; table[next] != 0; next = (next + 1) & mask) {
            int home = home(ring[table[next] - 1]) & mask;
            if (((next - home) & mask) >= ((next - gap) & mask)) {
                table[gap] = table[next];
                gap = next;
            }
        }
        table[gap] = 0;
    }

    /*
     * Spreads offsets that differ in few bits, whichever bits they are. The secret keeps a caller that chooses offsets
     * from knowing where they go.
     */
    private static int home(long offset) {
        long secret = (offset ^ SECRET) * SECRET_FACTOR;
        long mixed = (secret ^ (secret >>> 32)) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
        return (int) (mixed >>> 32);
    }
}

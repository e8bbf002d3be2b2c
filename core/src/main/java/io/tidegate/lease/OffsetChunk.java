package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A part of a set of offsets: a few offsets, or many that are close together. Not thread-safe. */
final class OffsetChunk {
    /*
     * All offsets are within the stretch from `first` to `last`. They are kept in the form that takes least memory:
     *   - a run, if all offsets of the stretch are there: `words` is null;
     *   - a bitmap, one word for each 64 offsets from that of `first` to that of `last`, if that is at most one word
     *     for each offset;
     *   - a sorted list otherwise, with some room at the end.
     * When an offset is added, the chunk changes to the form that is best then. Lists and bitmaps have at most
     * MOST_WORDS words.
     *
     * A chunk takes an offset outside its stretch only if that costs no more memory than another chunk would, so a long
     * run does not become a bitmap for the sake of a neighbour. Within its stretch it takes any offset, unless it is a
     * full list, which is split.
     */
    private static final int MOST_WORDS = 256;
    private static final int WORDS_OF_A_CHUNK = 8;

    private long first;
    private long last;
    private int count; // not used for a run
    private boolean bitmap;
    private long @Nullable [] words;

    /** Makes a run. */
    OffsetChunk(long first, long last) {
        this.first = first;
        this.last = last;
    }

    long first() {
        return first;
    }

    long count() {
        return words == null ? last - first + 1 : count;
    }

    boolean spans(long offset) {
        return first <= offset && offset <= last;
    }

    boolean endsBy(long offset) {
        return last <= offset;
    }

    boolean contains(long offset) {
        if (!spans(offset) || words == null) {
            return spans(offset);
        }
        return bitmap
                ? (words[wordOf(offset)] & bitOf(offset)) != 0
                : Arrays.binarySearch(words, 0, count, offset) >= 0;
    }

    /** Returns whether this chunk should take an offset that it does not contain. */
    boolean takes(long offset) {
        long need = wordsFor(Math.min(first, offset), Math.max(last, offset), count() + 1);
        int have = words == null ? 0 : words.length;
        return need <= MOST_WORDS && (spans(offset) || need <= have + WORDS_OF_A_CHUNK);
    }

    /** Adds an offset, for which {@link #takes} must hold. */
    void add(long offset) {
        long newFirst = Math.min(first, offset);
        long newLast = Math.max(last, offset);
        long newCount = count() + 1;
        boolean run = isRun(newFirst, newLast, newCount);
        boolean map = !run && wordsBetween(newFirst, newLast) <= newCount;
        if (run) {
            words = null;
        } else {
            words = map ? asBitmap(newFirst, newLast) : asListWith(offset);
        }
        first = newFirst;
        last = newLast;
        count = run ? 0 : (int) newCount;
        bitmap = map;
        if (words != null && map) {
            words[wordOf(offset)] |= bitOf(offset);
        }
    }

    /**
     * Takes over the next chunk, if both are runs and the next one begins where this one ends. Returns whether it did.
     */
    boolean join(OffsetChunk next) {
        if (words != null || next.words != null || last + 1 != next.first) {
            return false;
        }
        last = next.last;
        return true;
    }

    /** Returns the upper half of a list, and removes it here. */
    OffsetChunk splitOff() {
        long[] list = requireNonNull(words, "a run is never split");
        int half = count / 2;
        OffsetChunk upper = new OffsetChunk(list[half], last);
        upper.words = Arrays.copyOfRange(list, half, count);
        upper.count = count - half;
        words = Arrays.copyOf(list, half);
        count = half;
        last = list[half - 1];
        return upper;
    }

    private static boolean isRun(long first, long last, long count) {
        return last - first == count - 1;
    }

    private static long wordsBetween(long first, long last) {
        return (last >> 6) - (first >> 6) + 1;
    }

    private static long wordsFor(long first, long last, long count) {
        return isRun(first, last, count) ? 0 : Math.min(wordsBetween(first, last), count);
    }

    private int wordOf(long offset) {
        return (int) ((offset >> 6) - (first >> 6));
    }

    private static long bitOf(long offset) {
        return 1L << offset;
    }

    private long[] asBitmap(long newFirst, long newLast) {
        int length = (int) wordsBetween(newFirst, newLast);
        if (words != null && bitmap && words.length == length) {
            return words;
        }
        long[] map = new long[length];
        int shift = (int) ((first >> 6) - (newFirst >> 6));
        if (words == null) {
            for (long offset = first, left = count(); left > 0; offset++, left--) {
                map[shift + wordOf(offset)] |= bitOf(offset);
            }
        } else if (bitmap) {
            System.arraycopy(words, 0, map, shift, words.length);
        } else {
            for (int i = 0; i < count; i++) {
                map[shift + wordOf(words[i])] |= bitOf(words[i]);
            }
        }
        return map;
    }

    private long[] asListWith(long offset) {
        int members = (int) count();
        long[] list = words != null && !bitmap && members < words.length ? words : asList(members);
        int at = -1 - Arrays.binarySearch(list, 0, members, offset);
        System.arraycopy(list, at, list, at + 1, members - at);
        list[at] = offset;
        return list;
    }

    /* Returns the offsets as a list with room for some more, at least for one. */
    private long[] asList(int members) {
        int length = Math.max(members + 1, Math.min(MOST_WORDS, members + members / 8 + 1));
        if (words != null && !bitmap) {
            return Arrays.copyOf(words, length);
        }
        long[] list = new long[length];
        int filled = 0;
        for (long offset = first; filled < members; offset++) {
            if (contains(offset)) {
                list[filled++] = offset;
            }
        }
        return list;
    }
}

package io.tidegate.lease;

import org.jspecify.annotations.Nullable;

/** The set of processed offsets, most of which come in order. Not thread-safe. */
class ProcessedOffsets {
    /*
     * The set is the union of
     *   - all below `bound`: what was forgotten;
     *   - one run, `first` to `last`, none when first > last: work that comes in order lengthens it, without memory;
     *   - `others`, null when empty.
     * They may overlap. A bound cannot be above Long.MAX_VALUE: when that is forgotten, the run is all there is.
     */
    private long bound = Long.MIN_VALUE;
    private long first = 1;
    private long last = 0;
    private @Nullable OffsetSet others;

    final boolean contains(long offset) {
        return offset < bound || (first <= offset && offset <= last) || (others != null && others.contains(offset));
    }

    final boolean hasNone() {
        return bound == Long.MIN_VALUE && first > last;
    }

    final void add(long offset) {
        if (contains(offset)) {
            return;
        }
        if (first > last) {
            first = offset;
            last = offset;
        } else if (offset > last && offset - 1 == last) {
            last = offset;
        } else if (offset < first && offset + 1 == first) {
            first = offset;
        } else {
            addToOthers(offset);
        }
    }

    private void addToOthers(long offset) {
        OffsetSet set = others == null ? new OffsetSet() : others;
        set.add(offset);
        others = set;
    }

    /** Adds all offsets up to this one. */
    final void forget(long upTo) {
        if (upTo == Long.MAX_VALUE) {
            first = Long.MIN_VALUE;
            last = Long.MAX_VALUE;
            others = null;
            return;
        }
        bound = Math.max(bound, upTo + 1);
        if (last < bound) {
            first = 1;
            last = 0;
        }
        if (others != null) {
            others.dropUpTo(upTo);
            if (others.isEmpty()) {
                others = null;
            }
        }
    }
}

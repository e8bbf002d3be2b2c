package io.tidegate.lease;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** The names of the domains in memory, sorted, for listings. Thread-safe. */
final class DomainNames {
    /*
     * Nothing is kept before the first listing: a program that never lists pays nothing. From then on each new name is
     * added here after it is in the map, and removed here after it has left the map.
     *
     * The first listing publishes the empty set, and then adds all names of the map. A name that is not in the map yet
     * when the map is read came after the set was published, so the thread that brought the name adds it. Other
     * listings wait meanwhile.
     *
     * A name that comes again while it is removed here is looked up in the map once more, so none is missing. A name
     * may be here that is not in the map any more: listings leave it out.
     */

    /**
     * Compares the bytes in UTF-8, which is the order of code points: a surrogate is half of a code point that is
     * greater than all others.
     */
    private static final Comparator<String> BY_BYTES = DomainNames::compareBytes;

    private final Set<String> known;
    private volatile @Nullable NavigableSet<String> ordered;
    private boolean complete;

    /** @param known the names of the map, a live view */
    DomainNames(Set<String> known) {
        this.known = known;
    }

    /** The name is in the map now. */
    void came(String name) {
        NavigableSet<String> names = ordered;
        if (names != null) {
            names.add(name);
        }
    }

    /** The name is not in the map any more. */
    void went(String name) {
        NavigableSet<String> names = ordered;
        if (names != null) {
            names.remove(name);
            if (known.contains(name)) {
                names.add(name);
            }
        }
    }

    /** The names behind this one. */
    NavigableSet<String> after(String name) {
        return inOrder().tailSet(name, false);
    }

    private synchronized NavigableSet<String> inOrder() {
        NavigableSet<String> names = ordered;
        if (names == null) {
            names = new ConcurrentSkipListSet<>(BY_BYTES);
            ordered = names;
        }
        if (!complete) {
            names.addAll(known);
            complete = true;
        }
        return names;
    }

    private static int compareBytes(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                return Character.isSurrogate(a) == Character.isSurrogate(b) ? a - b : Character.isSurrogate(a) ? 1 : -1;
            }
        }
        return one.length() - other.length();
    }
}

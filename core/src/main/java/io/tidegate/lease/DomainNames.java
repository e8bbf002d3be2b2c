package io.tidegate.lease;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** The names of the domains in memory, sorted, for listings. Thread-safe. */
final class DomainNames {
    /*
     * Nothing is kept before the first listing: a program that never lists pays nothing. From then on each name that
     * comes is added after it is in the map, and each that goes is removed after it has left the map.
     *
     * The first list publishes the empty set, and then adds all names of the map. A name that is not in the map yet
     * when that is read came after the set was published, so who brought it adds it. Others who list meanwhile wait.
     *
     * A name that comes again while it is removed here is looked for in the map once more, so none is missing. One may
     * be here that is not in the map any more: lists leave it out.
     */

    /**
     * By their bytes in UTF-8, which is the order of code points: a surrogate is a half of one that is greater than all
     * others.
     */
    private static final Comparator<String> BY_BYTES = DomainNames::compareBytes;

    private final Set<String> known;
    private volatile @Nullable NavigableSet<String> ordered;
    private boolean complete;

    /** @param known those of the map, as they are at each moment */
    DomainNames(Set<String> known) {
        this.known = known;
    }

    /** It is in the map now. */
    void came(String name) {
        NavigableSet<String> names = ordered;
        if (names != null) {
            names.add(name);
        }
    }

    /** It is not in the map any more. */
    void went(String name) {
        NavigableSet<String> names = ordered;
        if (names != null) {
            names.remove(name);
            if (known.contains(name)) {
                names.add(name);
            }
        }
    }

    /** Those behind this one. */
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

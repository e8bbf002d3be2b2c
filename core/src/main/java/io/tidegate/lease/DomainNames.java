package io.tidegate.lease;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** The names of the domains in memory, sorted, for listings. Thread-safe. */
final class DomainNames {
    /*
     * No name is kept before the first listing, so a program that never lists pays nothing. From then on each new name
     * is added here after it is in the map, and removed here after it has left the map.
     *
     * The first listing publishes an empty set, and then adds all names of the map. A name that is not yet in the map
     * when the map is read came after the set was published, so the thread that puts the name into the map adds it
     * here. Other listings wait meanwhile.
     *
     * A name may come back into the map while it is removed here; so it is looked up in the map once more, and no name
     * is missing. A name may be here that is no longer in the map: listings leave it out.
     */

    /**
     * Compares the bytes in UTF-8, which is the order of code points: a surrogate is half of a code point that is
     * greater than all others.
     */
    private static final Comparator<String> BY_BYTES = DomainNames::compareBytes;

    private final Set<String> known;
    private volatile @Nullable NavigableSet<String> ordered;
    private boolean complete;

    /** @param known a live view of the names in the map */
    DomainNames(Set<String> known) {
        this.known = known;
    }

    /** Called when the name is in the map. */
    void added(String name) {
        NavigableSet<String> names = ordered;
        if (names != null) {
            names.add(name);
        }
    }

    /** Called when the name has left the map. */
    void removed(String name) {
        NavigableSet<String> names = ordered;
        if (names != null) {
            names.remove(name);
            if (known.contains(name)) {
                names.add(name);
            }
        }
    }

    /** Returns the names behind this one. */
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

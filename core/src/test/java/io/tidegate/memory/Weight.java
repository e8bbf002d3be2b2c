package io.tidegate.memory;

import org.openjdk.jol.info.GraphLayout;

/**
 * Computes how many bytes objects take, from their layout, which no garbage collection and no other thread or test
 * changes.
 */
public final class Weight {
    static {
        System.setProperty("jol.magicFieldOffset", "true"); // the JDK refuses to tell the offsets of a record's fields
        System.setProperty("jol.skipDynamicAttach", "true"); // attaching takes seconds, and fails without a flag
        System.setProperty("jol.skipHotspotSAAttach", "true");
    }

    private Weight() {}

    /** Returns the bytes of all objects that can be reached from these. */
    public static long of(Object... roots) {
        return GraphLayout.parseInstance(roots).totalSize();
    }
}

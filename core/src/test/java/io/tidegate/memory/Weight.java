package io.tidegate.memory;

import org.openjdk.jol.info.GraphLayout;

/** How many bytes objects take, by their layout: no collection, no other thread and no other test changes it. */
public final class Weight {
    static {
        System.setProperty("jol.magicFieldOffset", "true"); // records have no offsets that it could ask for
        System.setProperty("jol.skipDynamicAttach", "true"); // it takes seconds, and fails without a flag
        System.setProperty("jol.skipHotspotSAAttach", "true");
    }

    private Weight() {}

    /** The bytes of all objects that can be reached from these. */
    public static long of(Object... roots) {
        return GraphLayout.parseInstance(roots).totalSize();
    }
}

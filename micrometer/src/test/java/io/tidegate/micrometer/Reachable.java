package io.tidegate.micrometer;

import java.util.Set;
import org.openjdk.jol.info.GraphLayout;

/**
 * Finds the classes of all objects that can be reached from an object: this shows what is kept, without a garbage
 * collection.
 */
final class Reachable {
    static {
        System.setProperty("jol.magicFieldOffset", "true"); // JOL cannot ask records for offsets
        System.setProperty("jol.skipDynamicAttach", "true"); // attaching takes seconds, and fails without a flag
        System.setProperty("jol.skipHotspotSAAttach", "true");
    }

    private Reachable() {}

    static Set<Class<?>> from(Object... roots) {
        return GraphLayout.parseInstance(roots).getClasses();
    }
}

package io.tidegate.micrometer;

import java.util.Set;
import org.openjdk.jol.info.GraphLayout;

/** Which classes have objects that can be reached from others: no collection has to run to see what is kept. */
final class Reachable {
    static {
        System.setProperty("jol.magicFieldOffset", "true"); // records have no offsets that it could ask for
        System.setProperty("jol.skipDynamicAttach", "true"); // it takes seconds, and fails without a flag
        System.setProperty("jol.skipHotspotSAAttach", "true");
    }

    private Reachable() {}

    static Set<Class<?>> from(Object... roots) {
        return GraphLayout.parseInstance(roots).getClasses();
    }
}

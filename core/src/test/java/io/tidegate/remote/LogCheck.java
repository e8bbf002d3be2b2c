package io.tidegate.remote;

import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * A check of the logs that tests make. In core there is none; the testkit runs these tests again with its audit as the
 * check. A system property names it, because core cannot depend on the testkit.
 */
final class LogCheck {
    private static final ObjLongConsumer<List<BulkheadEvent>> CHECK =
            named(System.getProperty("tidegate.logCheck", ""));

    private LogCheck() {}

    @SuppressWarnings("unchecked") // whoever sets the property names such a class
    private static ObjLongConsumer<List<BulkheadEvent>> named(String type) {
        if (type.isEmpty()) {
            return (events, dropped) -> {};
        }
        try {
            return (ObjLongConsumer<List<BulkheadEvent>>) Class.forName(type)
                    .asSubclass(ObjLongConsumer.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type, e);
        }
    }

    static void check(List<BulkheadEvent> events, long dropped) {
        CHECK.accept(events, dropped);
    }

    static void check(RemoteBulkhead bulkhead) {
        check(bulkhead.events(), bulkhead.droppedEvents());
    }
}

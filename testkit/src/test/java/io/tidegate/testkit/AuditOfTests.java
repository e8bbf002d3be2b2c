package io.tidegate.testkit;

import io.tidegate.remote.BulkheadEvent;
import java.util.List;
import java.util.function.ObjLongConsumer;

/** Audits every log that core's own tests make, when they run in this module. */
public final class AuditOfTests implements ObjLongConsumer<List<BulkheadEvent>> {
    /** Called by core's tests. */
    public AuditOfTests() {}

    @Override
    public void accept(List<BulkheadEvent> events, long dropped) {
        BulkheadAudit.check(events, dropped).ifPresent(breach -> {
            throw new AssertionError(breach.toString());
        });
        List<String> lines = BulkheadAudit.write(events);
        if (!BulkheadAudit.read(lines).equals(events)) {
            throw new AssertionError("read back from its text: " + lines);
        }
    }
}

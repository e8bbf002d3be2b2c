package io.tidegate.remote.broken;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.ReferenceBulkhead;
import io.tidegate.remote.RemoteBulkhead;
import java.util.function.Consumer;

/** Makes the bulkhead that a check runs on: Tidegate's own, or a broken one. */
@FunctionalInterface
public interface RemoteBulkheadFactory {
    RemoteBulkheadFactory TIDEGATE = (settings, sink) -> RemoteBulkhead.builder(settings.maxInFlight())
            .policy(settings.policy())
            .p99TargetMs(settings.p99TargetMs())
            .eventCapacity(settings.eventCapacity())
            .latencyWindow(settings.latencyWindow())
            .eventSink(sink)
            .build();

    RemoteBulkhead create(ReferenceBulkhead.Settings settings, Consumer<? super BulkheadEvent> sink);
}

package io.tidegate.remote;

import io.tidegate.bulkhead.PermitLifetime;
import java.util.concurrent.CompletableFuture;

/** A program whose operation leaves no room for an object in the heap. It fails if that costs a permit. */
final class FullHeap {
    private static Object heap;

    private FullHeap() {}

    public static void main(String[] none) {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            RemoteBulkhead bulkhead = RemoteBulkhead.builder(1).build();
            RemoteBulkheadClient client = RemoteBulkheadClient.builder(bulkhead)
                    .permitLifetime(lifetime)
                    .build();
            RemoteCapability capability = client.takeCapability();
            for (int round = 0; round < 5; round++) {
                CompletableFuture<String> operation = new CompletableFuture<>();
                try {
                    client.submit(capability, "fills", () -> fillAndReturn(operation));
                } catch (OutOfMemoryError full) {
                    // which may be all that there was room for
                }
                heap = null;
                operation.complete("done");
                if (bulkhead.inFlight() != 0) {
                    throw new IllegalStateException(lifetime + ", round " + round + ": " + bulkhead);
                }
            }
        }
    }

    private static CompletableFuture<String> fillAndReturn(CompletableFuture<String> operation) {
        try {
            for (; ; ) {
                heap = new Object[] {heap};
            }
        } catch (OutOfMemoryError full) {
            return operation;
        }
    }
}

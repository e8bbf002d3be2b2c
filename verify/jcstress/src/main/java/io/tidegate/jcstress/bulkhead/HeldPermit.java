package io.tidegate.jcstress.bulkhead;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.broken.BulkheadFactory;
import java.util.concurrent.CompletableFuture;

/** A bulkhead with one permit, held by a submission: the start of all races about a submission's end. */
abstract class HeldPermit {
    final Releases releases = new Releases();
    final CompletableFuture<String> operation = new CompletableFuture<>();
    final AsyncBulkhead bulkhead;
    final CompletableFuture<String> returned;

    HeldPermit(BulkheadFactory factory) {
        bulkhead = factory.create(1, releases);
        returned = bulkhead.submit(() -> operation).toCompletableFuture();
    }
}

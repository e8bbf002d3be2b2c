package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/** Three callers that enter and leave again and again: they race for the count of permits only. */
@Param(name = "customer", gen = IntGen.class, conf = "0:2")
public class PermitCount {
    private final AsyncBulkhead bulkhead = Setting.factory.create(Setting.limit, new BulkheadListener() {});
    private final Customer[] customers = {new Customer(), new Customer(), new Customer()};

    @Operation
    public boolean enter(@Param(name = "customer") int customer) {
        return customers[customer].enter(bulkhead);
    }

    @Operation
    public boolean leave(@Param(name = "customer") int customer) {
        return customers[customer].leave();
    }

    @Operation
    public int inFlight() {
        return bulkhead.inFlight();
    }

    @Operation
    public int available() {
        return bulkhead.available();
    }

    private static final class Customer {
        private @Nullable CompletableFuture<String> stay;

        synchronized boolean enter(AsyncBulkhead bulkhead) {
            if (stay != null) {
                return false;
            }
            CompletableFuture<String> returned =
                    bulkhead.<String>submit(CompletableFuture::new).toCompletableFuture();
            stay = returned.isDone() ? null : returned;
            return stay != null;
        }

        synchronized boolean leave() {
            if (stay == null) {
                return false;
            }
            stay.complete("left");
            stay = null;
            return true;
        }
    }
}

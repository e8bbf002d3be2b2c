package io.tidegate.guard;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for the operation, which a guard submits to a remote bulkhead and ends itself. The client starts the
 * stand-in once the call is admitted, and registers for its end. So the registration shows the admission, and ending
 * the stand-in gives the permit back.
 */
abstract class RemotePass extends CompletableFuture<@Nullable Object> {
    /** Called once, by the client's thread. */
    abstract void admitted();

    @Override
    public final CompletableFuture<@Nullable Object> whenComplete(
            BiConsumer<? super @Nullable Object, ? super @Nullable Throwable> action) {
        CompletableFuture<@Nullable Object> registered = super.whenComplete(action);
        admitted();
        return registered;
    }
}

package io.tidegate.guard;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a guard submits to a remote bulkhead: an operation that ends when the guard says so. The client registers with
 * it once it has started, and only then is it let in: whoever ends it has then given the permit back.
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

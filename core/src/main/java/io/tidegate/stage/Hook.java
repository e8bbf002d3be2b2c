package io.tidegate.stage;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A callback for the end of an operation. It may be called any number of times, from any thread; only the first call
 * counts.
 */
public abstract class Hook<T>
        implements BiConsumer<@Nullable T, @Nullable Throwable>,
                BiFunction<@Nullable T, @Nullable Throwable, @Nullable Void> {
    /*
     * An operation may never end, and keeps its callbacks until then. So the returned future, with its value or its
     * exception, is a separate object, and the hook lets go of it once it has ended.
     *
     * Neither write to the field needs a fence. After the first write, DecidedFuture.follow has a fence before any
     * other thread can have the hook. A thread that does not see the second write yet calls a future that has ended,
     * which changes nothing.
     */
    @SuppressWarnings("rawtypes") // an updater is made from class literals, which have no type arguments
    private static final AtomicReferenceFieldUpdater<Hook, @Nullable DecidedFuture> RETURNED =
            AtomicReferenceFieldUpdater.newUpdater(Hook.class, DecidedFuture.class, "returned");

    @SuppressWarnings("unused") // written through RETURNED
    private volatile @Nullable DecidedFuture<T> returned;

    Hook(@Nullable DecidedFuture<T> returned) {
        RETURNED.lazySet(this, returned);
    }

    /** The future that ends with the operation; null if it has ended already. */
    protected final @Nullable DecidedFuture<T> returned() {
        return returned;
    }

    /** Called when the returned future has ended: the hook need not end it any more. */
    final void letGo() {
        RETURNED.lazySet(this, null);
    }

    @Override
    public final @Nullable Void apply(@Nullable T value, @Nullable Throwable error) {
        accept(value, error);
        return null;
    }
}

package io.tidegate.breaker;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stage whose {@code whenComplete} does what a test says with the hook it is given. */
final class HostileStage<T> extends CompletableFuture<T> {
    private final Consumer<BiConsumer<? super @Nullable T, ? super @Nullable Throwable>> behaviour;

    HostileStage(Consumer<BiConsumer<? super @Nullable T, ? super @Nullable Throwable>> behaviour) {
        this.behaviour = behaviour;
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> hook) {
        behaviour.accept(hook);
        return this;
    }
}

package io.tidegate.stage;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** A stage of which only {@code whenComplete} works, in the way a test says; everything else throws. */
@FunctionalInterface
public interface HostileStage<T> {
    Object whenComplete(BiConsumer<? super T, ? super Throwable> hook) throws Throwable;

    @SuppressWarnings("unchecked")
    static <T> CompletionStage<T> of(HostileStage<T> behaviour) {
        return (CompletionStage<T>) Proxy.newProxyInstance(
                HostileStage.class.getClassLoader(), new Class<?>[] {CompletionStage.class}, (proxy, method, args) -> {
                    if (method.getName().equals("whenComplete")) {
                        return behaviour.whenComplete((BiConsumer<? super T, ? super Throwable>) args[0]);
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}

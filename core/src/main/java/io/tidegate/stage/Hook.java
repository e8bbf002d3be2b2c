package io.tidegate.stage;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What is told of an operation's end: as often as the operation likes, from any thread. Only the first time counts. */
public interface Hook<T>
        extends BiConsumer<@Nullable T, @Nullable Throwable>,
                BiFunction<@Nullable T, @Nullable Throwable, @Nullable Void> {
    @Override
    default @Nullable Void apply(@Nullable T value, @Nullable Throwable error) {
        accept(value, error);
        return null;
    }
}

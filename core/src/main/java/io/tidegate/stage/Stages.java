package io.tidegate.stage;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Operations on stages of any class. */
public final class Stages {
    private Stages() {}

    /*
     * Returns whether the stage's class is known, so that its answers are reliable. An unknown subclass may answer
     * anything.
     */
    private static boolean isKnown(CompletionStage<?> stage) {
        return stage.getClass() == CompletableFuture.class
                || stage instanceof DecidedFuture<?>
                || stage instanceof RefusedStage<?>;
    }

    /** Returns whether the stage is known to have ended, with a value or an error. */
    public static boolean hasEnded(CompletionStage<?> stage) {
        return isKnown(stage) && ((CompletableFuture<?>) stage).isDone();
    }

    /** Returns whether the stage is known to have ended with a value. */
    public static boolean hasSucceeded(CompletionStage<?> stage) {
        return hasEnded(stage) && !((CompletableFuture<?>) stage).isCompletedExceptionally();
    }

    /** Returns the error that the stage ended with, null for a value. Only for a stage that {@link #hasEnded}. */
    public static @Nullable Throwable errorOf(CompletionStage<?> stage) {
        CompletableFuture<?> ended = (CompletableFuture<?>) stage;
        return ended.isCompletedExceptionally()
                ? ended.<@Nullable Throwable>handle((value, error) -> error).join()
                : null;
    }

    /**
     * Calls the hook when the operation ends. A stage that throws instead of registering the hook counts as ended with
     * that error.
     */
    public static <
                    T,
                    H extends
                            BiConsumer<@Nullable T, @Nullable Throwable>
                                    & BiFunction<@Nullable T, @Nullable Throwable, @Nullable Void>>
            void observe(CompletionStage<T> stage, H hook) {
        try {
            if (isKnown(stage)) {
                // whenComplete would make a CompletionException with a stack trace for a dependent that is never read
                stage.handle(hook);
            } else {
                stage.whenComplete(hook);
            }
        } catch (Throwable thrown) {
            hook.accept(null, thrown);
            keepInterrupt(thrown);
        }
    }

    /**
     * Returns whether this is the error of a cancelled operation, bare or as the direct cause of a {@link
     * CompletionException}.
     */
    public static boolean isCancellation(@Nullable Throwable error) {
        Throwable root = error instanceof CompletionException ? inside(error) : error;
        return root instanceof CancellationException;
    }

    /**
     * Returns the error inside all {@link CompletionException}s and {@link ExecutionException}s around it; if the
     * causes form a cycle, the outermost error.
     */
    @SuppressWarnings("ReferenceEquality") // errors may be equal without being the same
    public static @Nullable Throwable bare(@Nullable Throwable error) {
        Throwable inner = error;
        Throwable behind = error; // follows at half the pace, so that a cycle is found
        boolean step = false;
        for (Throwable next = inside(inner); next != null; next = inside(inner)) {
            inner = next;
            behind = step ? inside(behind) : behind;
            step = !step;
            if (inner == behind) {
                return error;
            }
        }
        return inner;
    }

    /** The error directly inside a {@link CompletionException}, or the error itself. */
    public static Throwable unwrapped(Throwable error) {
        Throwable cause = error instanceof CompletionException ? inside(error) : null;
        return cause != null ? cause : error;
    }

    /** The cause of a {@link CompletionException} or {@link ExecutionException}, if it is one and has one. */
    public static @Nullable Throwable inside(@Nullable Throwable error) {
        try {
            return error instanceof CompletionException || error instanceof ExecutionException
                    ? error.getCause()
                    : null;
        } catch (Throwable broken) { // a subclass may throw
            keepInterrupt(broken);
            return null;
        }
    }

    /** Throws an error as it is. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast is unchecked on purpose
    public static <E extends Throwable> RuntimeException rethrow(Throwable error) throws E {
        throw (E) error;
    }

    /**
     * Sets the interrupt flag again if this is an {@link InterruptedException}: code that catches everything must not
     * lose interrupts.
     */
    public static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}

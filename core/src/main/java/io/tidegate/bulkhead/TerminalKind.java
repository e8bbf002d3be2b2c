package io.tidegate.bulkhead;

import io.tidegate.stage.Stages;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** How a submission ended. */
public enum TerminalKind {
    /** With a value, {@code null} included. */
    SUCCESS,

    /** With an error that is not a cancellation. */
    FAILURE,

    /** With a {@link CancellationException}, bare or as the direct cause of a {@link CompletionException}. */
    CANCELLED;

    static TerminalKind of(@Nullable Throwable error) {
        if (error == null) {
            return SUCCESS;
        }
        return Stages.isCancellation(error) ? CANCELLED : FAILURE;
    }
}

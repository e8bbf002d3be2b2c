package io.tidegate.guard;

import static java.util.Objects.requireNonNull;

import io.tidegate.Refusal;
import org.jspecify.annotations.Nullable;

/** How a guarded call ended. */
public sealed interface Outcome<T> {
    /** With a value, which may be {@code null}. */
    record Success<T>(@Nullable T value) implements Outcome<T> {}

    /** With an error of the call, or of a limit. */
    record Failure<T>(Throwable error) implements Outcome<T> {
        public Failure {
            requireNonNull(error, "error");
        }
    }

    /** With a refusal: by a layer, and then the call did not run; or by a part used inside the call. */
    record Refused<T>(Refusal refusal) implements Outcome<T> {
        public Refused {
            requireNonNull(refusal, "refusal");
        }
    }
}

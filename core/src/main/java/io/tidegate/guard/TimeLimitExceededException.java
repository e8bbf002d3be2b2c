package io.tidegate.guard;

import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A guard's time limit ended a call. Its cause is the exception that the call ended with, if it has ended with one. */
public final class TimeLimitExceededException extends TimeoutException {
    /** The stable code: {@value}. */
    public static final String CODE = "TL_ERR_EXCEEDED";

    @Serial
    private static final long serialVersionUID = 1L;

    private final String source;
    private final Duration limit;

    /** The call that the limit ended, until the call has been counted. */
    private transient @Nullable Object call;

    @SuppressWarnings("this-escape") // initCause is final in all but name
    TimeLimitExceededException(String source, Duration limit, Object call, @Nullable Throwable cause) {
        super("guard '" + source + "' took longer than " + limit);
        this.source = source;
        this.limit = limit;
        this.call = call;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** Returns {@link #CODE}. */
    public String code() {
        return CODE;
    }

    /** Returns the name of the guard. */
    public String source() {
        return source;
    }

    /** Returns the limit. */
    public Duration limit() {
        return limit;
    }

    /** Whether a limit around that call has caused this exception. */
    @SuppressWarnings("ReferenceEquality") // the very same
    boolean isFor(Object asking) {
        return call == asking;
    }

    /** Called once the call has been counted. */
    void letGo() {
        call = null;
    }
}

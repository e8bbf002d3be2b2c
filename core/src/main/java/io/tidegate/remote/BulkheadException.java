package io.tidegate.remote;

import io.tidegate.Refusal;
import io.tidegate.gate.Refusals;
import java.io.Serial;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BulkheadError} that is thrown, or that a stage has failed with. Refusals have no stack trace, as there may
 * be very many; {@link BulkheadError.InvalidConfig} and {@link BulkheadError.UnknownPermit}, which are mistakes, do.
 * The cause of a {@link BulkheadError.NoLease} is why the last claim failed, if that is known.
 */
public final class BulkheadException extends RuntimeException implements Refusal, Refusals.Mistakable {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final long NEVER = -1;

    private final BulkheadError error;
    private final String source;
    private final long retryAfterMs;

    /** Of a bulkhead with the default name, without a retry-after. */
    public BulkheadException(BulkheadError error) {
        this(error, RemoteBulkhead.DEFAULT_NAME);
    }

    /** Of the bulkhead of this name. */
    public BulkheadException(BulkheadError error, String source) {
        this(error, source, NEVER, null);
    }

    BulkheadException(BulkheadError error, String source, long retryAfterMs, @Nullable Throwable cause) {
        super(message(error), cause, false, isMistake(error));
        this.error = error;
        this.source = source;
        this.retryAfterMs = retryAfterMs;
    }

    /** Whether it is about an invalid setting or a permit that is not out, and so not a {@link Refusal}. */
    @Override
    public boolean isMistake() {
        return isMistake(error);
    }

    private static boolean isMistake(BulkheadError error) {
        return error instanceof BulkheadError.InvalidConfig || error instanceof BulkheadError.UnknownPermit;
    }

    private static String message(BulkheadError error) {
        return error.code() + ": " + (error instanceof BulkheadError.InvalidConfig invalid ? invalid.reason() : error);
    }

    /** What it is about. */
    public BulkheadError error() {
        return error;
    }

    /** The stable code of {@link #error()}. */
    @Override
    public String code() {
        return error.code();
    }

    /**
     * How long to wait before a retry may succeed: an estimate from how long permits are held and how many requests
     * wait. Only a client computes it; empty otherwise, and where waiting cannot help.
     */
    public OptionalLong retryAfterMs() {
        return retryAfterMs == NEVER ? OptionalLong.empty() : OptionalLong.of(retryAfterMs);
    }

    /** The name of the bulkhead. */
    @Override
    public String source() {
        return source;
    }

    /** {@link #retryAfterMs()}, or {@link Duration#ZERO}. */
    @Override
    public Duration retryAfter() {
        return retryAfterMs == NEVER ? Duration.ZERO : Duration.ofMillis(retryAfterMs);
    }
}

package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogFullException;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An engine's answer: a code, and the values that belong to it. A refusal is an answer, too, not an exception, so the
 * transaction can go on.
 */
record Answer(
        String code,
        @Nullable String token,
        long fence,
        @Nullable String owner,
        long number) {
    static final String RENEWED = "RENEWED";
    static final String RELEASED = "RELEASED";
    static final String NO_BACKLOG = "NO_BACKLOG";
    static final String NEXT_HINT = "NEXT_HINT";
    static final String GIVE_UP_NO_BACKLOG = "GIVE_UP_NO_BACKLOG";
    static final String GIVE_UP_NEXT_HINT = "GIVE_UP_NEXT_HINT";

    static Answer of(String code) {
        return of(code, 0);
    }

    static Answer of(String code, long number) {
        return new Answer(code, null, 0, null, number);
    }

    static Answer ofLease(String code, String token, long fence, int retryCount) {
        return new Answer(code, token, fence, null, retryCount);
    }

    static Answer ofHolder(String owner, long untilMillis) {
        return new Answer("HELD_ELSEWHERE", null, 0, owner, untilMillis);
    }

    /** The columns of the functions' answers. */
    static Answer read(ResultSet row) throws SQLException {
        return new Answer(
                row.getString("code"),
                row.getString("token"),
                row.getLong("fence"),
                row.getString("owner"),
                row.getLong("number"));
    }

    /** The answers of a batch, before they are known. */
    static List<Answer> missing(int size) {
        return new ArrayList<>(Collections.nCopies(size, of("MISSING")));
    }

    AcquireResult toAcquireResult(String domainId, long offset) {
        return switch (code) {
            case "ACQUIRED" -> new AcquireResult.Acquired(requireNonNull(token), fence, retryCount());
            case "ALREADY_ACQUIRED" -> new AcquireResult.AlreadyAcquired(requireNonNull(token), fence, retryCount());
            case "ENQUEUED" -> new AcquireResult.Enqueued();
            case "ALREADY_PROCESSED" -> new AcquireResult.AlreadyProcessed();
            case "ALREADY_FAILED" -> new AcquireResult.AlreadyFailed();
            case "HELD_ELSEWHERE" -> new AcquireResult.HeldElsewhere(requireNonNull(owner), number);
            case "OUT_OF_ORDER" -> throw new BacklogOrderingException(domainId, number, offset);
            case "BACKLOG_FULL" -> throw new BacklogFullException(domainId, Math.toIntExact(number));
            default -> throw refusal(domainId);
        };
    }

    private int retryCount() {
        return Math.toIntExact(number);
    }

    SucceedResult toSucceedResult(String domainId) {
        return switch (code) {
            case NO_BACKLOG -> new SucceedResult.NoBacklog();
            case NEXT_HINT -> new SucceedResult.NextHint(number);
            default -> throw refusal(domainId);
        };
    }

    FailResult toFailResult(String domainId, Failure failure) {
        return switch (code) {
            case "RETRY_SCHEDULED" -> new FailResult.RetryScheduled(retryCount());
            case GIVE_UP_NO_BACKLOG -> new FailResult.GiveUpNoBacklog();
            case GIVE_UP_NEXT_HINT -> new FailResult.GiveUpNextHint(number);
            case "FAILURE_SKIPPED" ->
                throw new IllegalArgumentException("number: " + failure.number() + " (expected: <= " + number + ")");
            default -> throw refusal(domainId);
        };
    }

    long toUntilMillis(String domainId) {
        if (code.equals(RENEWED)) {
            return number;
        }
        throw refusal(domainId);
    }

    void toRelease(String domainId) {
        if (!code.equals(RELEASED)) {
            throw refusal(domainId);
        }
    }

    private IllegalStateException refusal(String domainId) {
        return switch (code) {
            case "LEASE_NOT_FOUND" -> new LeaseNotFoundException(domainId);
            case "TOKEN_MISMATCH" -> new TokenMismatchException(domainId);
            default -> new IllegalStateException("answer: " + code + " (expected: one that this version knows)");
        };
    }
}

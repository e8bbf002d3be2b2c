package io.tidegate.redis;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.redis.RedisWorkLease.FailedWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a script says: a code and what belongs to it, all as text, as a script's numbers are doubles, which do not hold every offset. */
record Answer(String domainId, List<String> words) {
    private static final int SNAPSHOT_WORDS = 8;

    String code() {
        return words.get(0);
    }

    AcquireResult toAcquireResult(long offset) {
        return switch (code()) {
            case "ACQUIRED" -> new AcquireResult.Acquired(words.get(1), number(2));
            case "ALREADY_ACQUIRED" -> new AcquireResult.AlreadyAcquired(words.get(1), number(2));
            case "ENQUEUED" -> new AcquireResult.Enqueued();
            case "ALREADY_PROCESSED" -> new AcquireResult.AlreadyProcessed();
            case "ALREADY_FAILED" -> new AcquireResult.AlreadyFailed();
            case "HELD_ELSEWHERE" -> new AcquireResult.HeldElsewhere(words.get(1), number(2));
            case "BACKLOG_ORDERING" -> throw new BacklogOrderingException(domainId, number(1), offset);
            default -> throw refusal();
        };
    }

    SucceedResult toSucceedResult() {
        return switch (code()) {
            case "NO_BACKLOG" -> new SucceedResult.NoBacklog();
            case "NEXT_HINT" -> new SucceedResult.NextHint(number(1));
            default -> throw refusal();
        };
    }

    FailResult toFailResult() {
        return switch (code()) {
            case "RETRY_SCHEDULED" -> new FailResult.RetryScheduled(Math.toIntExact(number(1)));
            case "GIVE_UP_NO_BACKLOG" -> new FailResult.GiveUpNoBacklog();
            case "GIVE_UP_NEXT_HINT" -> new FailResult.GiveUpNextHint(number(1));
            case "FAILURE_SKIPPED" ->
                throw new IllegalArgumentException("failure: too great (expected: <= " + number(1) + ")");
            default -> throw refusal();
        };
    }

    long toUntilMillis() {
        if (code().equals("RENEWED")) {
            return number(1);
        }
        throw refusal();
    }

    Optional<DomainSnapshot> toSnapshot() {
        if (code().equals("UNKNOWN")) {
            return Optional.empty();
        }
        List<Long> backlog = words.subList(SNAPSHOT_WORDS, words.size()).stream()
                .map(Long::valueOf)
                .toList();
        return Optional.of(new DomainSnapshot(domainId, lease(), backlog, number(1), number(2)));
    }

    private Optional<LeaseRecord> lease() {
        if (words.get(3).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new LeaseRecord(number(3), words.get(4), number(5), number(6), Math.toIntExact(number(7))));
    }

    List<FailedWork> toFailedWork() {
        List<FailedWork> failed = new ArrayList<>();
        for (int i = 1; i < words.size(); i += 2) {
            failed.add(new FailedWork(Place.toOffset(words.get(i)), number(i + 1)));
        }
        return failed;
    }

    long number(int index) {
        return Long.parseLong(words.get(index));
    }

    private IllegalStateException refusal() {
        return switch (code()) {
            case "LEASE_NOT_FOUND" -> new LeaseNotFoundException(domainId);
            case "TOKEN_MISMATCH" -> new TokenMismatchException(domainId);
            default -> throw new AssertionError("no script answers " + code());
        };
    }
}

package io.tidegate.redis;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogFullException;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A script's answer: a code and its values. All of it is text, because Lua's numbers are doubles, which cannot hold
 * every offset.
 */
record Answer(String domainId, List<String> words) {
    private static final int SNAPSHOT_WORDS = 8;
    private static final int FAILURE_WORDS = 4;

    String code() {
        return words.get(0);
    }

    AcquireResult toAcquireResult(long offset) {
        return switch (code()) {
            case "ACQUIRED" -> new AcquireResult.Acquired(words.get(1), number(2), count(3));
            case "ALREADY_ACQUIRED" -> new AcquireResult.AlreadyAcquired(words.get(1), number(2), count(3));
            case "ENQUEUED" -> new AcquireResult.Enqueued();
            case "ALREADY_PROCESSED" -> new AcquireResult.AlreadyProcessed();
            case "ALREADY_FAILED" -> new AcquireResult.AlreadyFailed();
            case "HELD_ELSEWHERE" -> new AcquireResult.HeldElsewhere(words.get(1), number(2));
            case "BACKLOG_ORDERING" -> throw new BacklogOrderingException(domainId, number(1), offset);
            case "BACKLOG_FULL" -> throw new BacklogFullException(domainId, count(1));
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

    FailResult toFailResult(int number) {
        return switch (code()) {
            case "RETRY_SCHEDULED" -> new FailResult.RetryScheduled(count(1));
            case "GIVE_UP_NO_BACKLOG" -> new FailResult.GiveUpNoBacklog();
            case "GIVE_UP_NEXT_HINT" -> new FailResult.GiveUpNextHint(number(1));
            case "FAILURE_SKIPPED" ->
                throw new IllegalArgumentException("failure: " + number + " (expected: <= " + number(1) + ")");
            default -> throw refusal();
        };
    }

    long toUntilMillis() {
        if (code().equals("RENEWED")) {
            return number(1);
        }
        throw refusal();
    }

    void requireReleased() {
        if (!code().equals("RELEASED")) {
            throw refusal();
        }
    }

    Optional<DomainSnapshot> toSnapshot() {
        if (code().equals("UNKNOWN")) {
            return Optional.empty();
        }
        return Optional.of(new DomainSnapshot(domainId, lease(), offsets(SNAPSHOT_WORDS), number(1), number(2)));
    }

    private Optional<LeaseRecord> lease() {
        if (words.get(3).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new LeaseRecord(number(3), words.get(4), number(5), number(6), count(7)));
    }

    Optional<DomainSummary> toSummary() {
        if (code().equals("UNKNOWN")) {
            return Optional.empty();
        }
        Optional<DomainSummary.Lease> lease = Optional.empty();
        if (!words.get(4).isEmpty()) {
            DomainSummary.Holder holder = new DomainSummary.Holder(words.get(5), number(9));
            lease = Optional.of(
                    new DomainSummary.Lease(number(4), number(6), number(7), count(8), Optional.of(holder)));
        }
        return Optional.of(new DomainSummary(domainId, lease, number(3), number(1), number(2)));
    }

    List<Long> toOffsets() {
        return offsets(1);
    }

    private List<Long> offsets(int from) {
        return words.stream().skip(from).map(Long::valueOf).toList();
    }

    List<FailedWork> toFailedWork() {
        List<FailedWork> failed = new ArrayList<>();
        for (int i = 1; i < words.size(); i += FAILURE_WORDS) {
            String reason = URLDecoder.decode(words.get(i + 3), StandardCharsets.UTF_8);
            failed.add(new FailedWork(SortableOffset.toOffset(words.get(i)), count(i + 2), number(i + 1), reason));
        }
        return failed;
    }

    private int count(int index) {
        return Math.toIntExact(number(index));
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

package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leases on a server. */
final class RedisLease implements RedisWorkLease {
    /*
     * All that is decided is decided by the scripts; here their words are put together and taken apart. An answer is a code and what
     * belongs to it, all as text: a script's numbers are doubles, which do not hold every offset.
     *
     * A client may send a command twice when its connection breaks. So acquire and fail carry a random text of 128 bits that is new with
     * each call, by which the server knows the call again. For acquire it is also what makes the token a secret.
     */
    private static final int SECRET_BYTES = 16;
    private static final int PLACE_DIGITS = 20;
    private static final int SNAPSHOT_WORDS = 8;

    private final ScriptCalls calls;
    private final DomainKeys keys;
    private final String owner;
    private final String durationMillis;
    private final String maxRetries;
    private final SecureRandom random = new SecureRandom();

    RedisLease(ScriptCalls calls, DomainKeys keys, String owner, Duration duration, int maxRetries) {
        this.calls = calls;
        this.keys = keys;
        this.owner = owner;
        this.durationMillis = Long.toString(duration.toMillis());
        this.maxRetries = Integer.toString(maxRetries);
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        List<String> answer = call(
                LeaseScript.ACQUIRE,
                domainId,
                Long.toString(offset),
                place(offset),
                owner,
                durationMillis,
                maxRetries,
                secret());
        return switch (answer.get(0)) {
            case "ACQUIRED" -> new AcquireResult.Acquired(answer.get(1), number(answer, 2));
            case "ALREADY_ACQUIRED" -> new AcquireResult.AlreadyAcquired(answer.get(1), number(answer, 2));
            case "ENQUEUED" -> new AcquireResult.Enqueued();
            case "ALREADY_PROCESSED" -> new AcquireResult.AlreadyProcessed();
            case "ALREADY_FAILED" -> new AcquireResult.AlreadyFailed();
            case "HELD_ELSEWHERE" -> new AcquireResult.HeldElsewhere(answer.get(1), number(answer, 2));
            case "BACKLOG_ORDERING" -> throw new BacklogOrderingException(domainId, number(answer, 1), offset);
            default -> throw refusal(domainId, answer);
        };
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        List<String> answer = call(LeaseScript.SUCCEED, domainId, orEmpty(token));
        return switch (answer.get(0)) {
            case "NO_BACKLOG" -> new SucceedResult.NoBacklog();
            case "NEXT_HINT" -> new SucceedResult.NextHint(number(answer, 1));
            default -> throw refusal(domainId, answer);
        };
    }

    @Override
    public FailResult fail(String domainId, String token) {
        List<String> answer = call(LeaseScript.FAIL, domainId, orEmpty(token), maxRetries, secret());
        return switch (answer.get(0)) {
            case "RETRY_SCHEDULED" -> new FailResult.RetryScheduled(Math.toIntExact(number(answer, 1)));
            case "GIVE_UP_NO_BACKLOG" -> new FailResult.GiveUpNoBacklog();
            case "GIVE_UP_NEXT_HINT" -> new FailResult.GiveUpNextHint(number(answer, 1));
            default -> throw refusal(domainId, answer);
        };
    }

    @Override
    public long renew(String domainId, String token) {
        List<String> answer = call(LeaseScript.RENEW, domainId, orEmpty(token), durationMillis);
        if (!answer.get(0).equals("RENEWED")) {
            throw refusal(domainId, answer);
        }
        return number(answer, 1);
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        List<String> answer = call(LeaseScript.INSPECT, domainId, owner);
        if (answer.get(0).equals("UNKNOWN")) {
            return Optional.empty();
        }
        List<Long> backlog = answer.subList(SNAPSHOT_WORDS, answer.size()).stream()
                .map(Long::valueOf)
                .toList();
        return Optional.of(
                new DomainSnapshot(domainId, leaseIn(answer), backlog, number(answer, 1), number(answer, 2)));
    }

    private static Optional<LeaseRecord> leaseIn(List<String> snapshot) {
        if (snapshot.get(3).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new LeaseRecord(
                number(snapshot, 3),
                snapshot.get(4),
                number(snapshot, 5),
                number(snapshot, 6),
                Math.toIntExact(number(snapshot, 7))));
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        call(LeaseScript.FORGET, domainId, place(upToOffset));
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return call(LeaseScript.REPLAY, domainId, Long.toString(offset)).get(0).equals("REPLAYED");
    }

    private List<String> call(LeaseScript script, String domainId, String... arguments) {
        if (requireNonNull(domainId, "domainId").isEmpty()) {
            throw new IllegalArgumentException("domainId: \"\" (expected: not empty)");
        }
        return calls.call(script, domainId, keys.of(domainId), arguments);
    }

    private static IllegalStateException refusal(String domainId, List<String> answer) {
        return switch (answer.get(0)) {
            case "LEASE_NOT_FOUND" -> new LeaseNotFoundException(domainId);
            case "TOKEN_MISMATCH" -> new TokenMismatchException(domainId);
            default -> throw new AssertionError("no script answers " + answer.get(0));
        };
    }

    private static long number(List<String> answer, int index) {
        return Long.parseLong(answer.get(index));
    }

    /** No token finishes nothing, as an empty one does. */
    private static String orEmpty(@Nullable String token) {
        return token == null ? "" : token;
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Text of one length for every offset that is in the order of the numbers; only digits, which every server sorts alike. */
    static String place(long offset) {
        String digits = Long.toUnsignedString(offset ^ Long.MIN_VALUE);
        return "0".repeat(PLACE_DIGITS - digits.length()) + digits;
    }
}

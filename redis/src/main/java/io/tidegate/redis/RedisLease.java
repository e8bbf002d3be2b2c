package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.SucceedResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leases on a server. */
final class RedisLease implements RedisWorkLease {
    /*
     * All that is decided is decided by the scripts; here their words are put together, and Answer takes apart what they say.
     *
     * A client may send a command twice when its connection breaks. So acquire and fail carry a random text of 128 bits that is new with
     * each call, by which the server knows the call again. For acquire it is also what makes the token a secret.
     */
    private static final int SECRET_BYTES = 16;

    private final ScriptCalls calls;
    private final DomainKeys keys;
    private final String owner;
    private final Duration duration;
    private final String durationMillis;
    private final String maxRetries;
    private final SecureRandom random = new SecureRandom();

    RedisLease(ScriptCalls calls, DomainKeys keys, String owner, Duration duration, int maxRetries) {
        this.calls = calls;
        this.keys = keys;
        this.owner = owner;
        this.duration = duration;
        this.durationMillis = Long.toString(duration.toMillis());
        this.maxRetries = Integer.toString(maxRetries);
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public Duration leaseDuration() {
        return duration;
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return call(domainId, acquisition(domainId, offset)).toAcquireResult(offset);
    }

    @Override
    public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
        List<Offer> asked = List.copyOf(offers);
        List<List<String>> answers = calls.callAll(asked.stream()
                .map(offer -> acquisition(offer.domainId(), offer.offset()))
                .toList());
        List<BatchAnswer<AcquireResult>> results = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            Offer offer = asked.get(i);
            Answer answer = new Answer(offer.domainId(), answers.get(i));
            results.add(BatchAnswer.of(() -> answer.toAcquireResult(offer.offset())));
        }
        return results;
    }

    private ScriptCall acquisition(String domainId, long offset) {
        return scriptCall(
                LeaseScripts.ACQUIRE,
                domainId,
                Long.toString(offset),
                Place.of(offset),
                owner,
                durationMillis,
                maxRetries,
                secret());
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        return call(domainId, success(domainId, token)).toSucceedResult();
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
        List<Finish> asked = List.copyOf(finishes);
        List<List<String>> answers = calls.callAll(asked.stream()
                .map(finish -> success(finish.domainId(), finish.token()))
                .toList());
        List<BatchAnswer<SucceedResult>> results = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            Answer answer = new Answer(asked.get(i).domainId(), answers.get(i));
            results.add(BatchAnswer.of(answer::toSucceedResult));
        }
        return results;
    }

    private ScriptCall success(String domainId, @Nullable String token) {
        return scriptCall(LeaseScripts.SUCCEED, domainId, orEmpty(token));
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return fail(domainId, token, "");
    }

    @Override
    public FailResult fail(String domainId, String token, int failure) {
        if (failure < 1) {
            throw new IllegalArgumentException("failure: " + failure + " (expected: >= 1)");
        }
        return fail(domainId, token, Integer.toString(failure));
    }

    private FailResult fail(String domainId, @Nullable String token, String failure) {
        ScriptCall failing =
                scriptCall(LeaseScripts.FAIL, domainId, orEmpty(token), failure, durationMillis, maxRetries, secret());
        return call(domainId, failing).toFailResult();
    }

    @Override
    public long renew(String domainId, String token) {
        return call(domainId, scriptCall(LeaseScripts.RENEW, domainId, orEmpty(token), durationMillis))
                .toUntilMillis();
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        return call(domainId, scriptCall(LeaseScripts.INSPECT, domainId, owner)).toSnapshot();
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        call(domainId, scriptCall(LeaseScripts.FORGET, domainId, Place.of(upToOffset)));
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return call(domainId, scriptCall(LeaseScripts.REPLAY, domainId, Long.toString(offset), Place.of(offset)))
                .code()
                .equals("REPLAYED");
    }

    @Override
    public List<FailedWork> failed(String domainId, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
        return call(domainId, scriptCall(LeaseScripts.FAILED, domainId, Integer.toString(limit)))
                .toFailedWork();
    }

    @Override
    public int deleteFailed(String domainId, Duration age) {
        ScriptCall deletion = scriptCall(
                LeaseScripts.DELETE_FAILED, domainId, millis("age", age), Integer.toString(MOST_DELETED_AT_ONCE));
        return Math.toIntExact(call(domainId, deletion).number(1));
    }

    @Override
    public boolean deleteIdle(String domainId, Duration idle) {
        return call(domainId, scriptCall(LeaseScripts.DELETE_IDLE, domainId, millis("idle", idle)))
                .code()
                .equals("DELETED");
    }

    private Answer call(String domainId, ScriptCall call) {
        return new Answer(domainId, calls.call(call));
    }

    private ScriptCall scriptCall(Script script, String domainId, String... arguments) {
        if (requireNonNull(domainId, "domainId").isEmpty()) {
            throw new IllegalArgumentException("domainId: \"\" (expected: not empty)");
        }
        return new ScriptCall(script, "domain " + domainId, keys.of(domainId), List.of(arguments));
    }

    private static String millis(String name, Duration duration) {
        if (requireNonNull(duration, name).isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration + " (expected: >= PT0S)");
        }
        return Long.toString(duration.toMillis());
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
}

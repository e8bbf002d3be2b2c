package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Leases on a server. */
final class RedisLease implements RedisWorkLease {
    /*
     * The scripts decide everything. This class puts their arguments together, and Answer takes their answers apart.
     *
     * A client may send a command twice when its connection breaks. So acquire, fail and release carry a random text of
     * 128 bits that is new with each call, by which the server recognises the call. For acquire it also makes the token
     * a secret.
     */
    private static final int SECRET_BYTES = 16;
    private static final Failure UNKNOWN_FAILURE = new Failure(0, false, "");
    /* Goes further back than any date on a server. */
    private static final Duration OLDEST = Duration.ofDays(1_000_000);
    private static final String MOST_BACKLOG = Integer.toString(DomainSnapshot.MOST_BACKLOG);
    private static final String MOST_FAILURES_AT_ONCE = "100";
    private static final String MOST_LEAVES_AT_ONCE = "100";
    private static final int MOST_SUMMARIES_AT_ONCE = 1_000;
    private static final String FIRST_AND_LAST_CURSOR = "0";

    private final ScriptCalls calls;
    private final String name;
    private final DomainKeys keys;
    private final DomainPages pages;
    private final String owner;
    private final Duration duration;
    private final String durationMillis;
    private final String maxRetries;
    private final String maxBacklog;
    private final SecureRandom random = new SecureRandom();

    RedisLease(
            ScriptCalls calls,
            String prefix,
            String name,
            String owner,
            Duration duration,
            int maxRetries,
            int maxBacklog) {
        this.calls = calls;
        this.name = name;
        this.keys = new DomainKeys(prefix, name);
        this.pages = new DomainPages(calls, name, keys.indexes());
        this.owner = owner;
        this.duration = duration;
        this.durationMillis = Long.toString(duration.toMillis());
        this.maxRetries = Integer.toString(maxRetries);
        this.maxBacklog = Integer.toString(maxBacklog);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void read(Reading to) {
        calls.read(to);
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
                SortableOffset.of(offset),
                owner,
                durationMillis,
                maxRetries,
                maxBacklog,
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

    @Override
    public TakeNextResult succeedAndTakeNext(String domainId, String token) {
        List<String> words = calls.call(scriptCall(
                LeaseScripts.SUCCEED_AND_TAKE_NEXT,
                domainId,
                orEmpty(token),
                owner,
                durationMillis,
                maxRetries,
                maxBacklog,
                secret()));
        return TakeNextResult.of(
                new Answer(domainId, words).toSucceedResult(),
                next -> new Answer(domainId, words.subList(2, words.size())).toAcquireResult(next));
    }

    private ScriptCall success(String domainId, @Nullable String token) {
        return scriptCall(LeaseScripts.SUCCEED, domainId, orEmpty(token));
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return fail(domainId, token, UNKNOWN_FAILURE);
    }

    @Override
    public FailResult fail(String domainId, String token, Failure failure) {
        ScriptCall failing = scriptCall(
                LeaseScripts.FAIL,
                domainId,
                orEmpty(token),
                Integer.toString(failure.number()),
                Boolean.toString(failure.permanent()),
                // A word of an answer must not contain blanks, and characters other than ASCII depend on the
                // connection.
                URLEncoder.encode(failure.reason(), StandardCharsets.UTF_8),
                durationMillis,
                maxRetries,
                secret());
        return call(domainId, failing).toFailResult(failure.number());
    }

    @Override
    public long renew(String domainId, String token) {
        return call(domainId, renewal(domainId, token)).toUntilMillis();
    }

    @Override
    public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
        List<Finish> asked = List.copyOf(leases);
        List<List<String>> answers = calls.callAll(asked.stream()
                .map(lease -> renewal(lease.domainId(), lease.token()))
                .toList());
        List<BatchAnswer<Long>> results = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            Answer answer = new Answer(asked.get(i).domainId(), answers.get(i));
            results.add(BatchAnswer.of(answer::toUntilMillis));
        }
        return results;
    }

    private ScriptCall renewal(String domainId, @Nullable String token) {
        return scriptCall(LeaseScripts.RENEW, domainId, orEmpty(token), durationMillis);
    }

    @Override
    public void release(String domainId, String token) {
        call(domainId, scriptCall(LeaseScripts.RELEASE, domainId, orEmpty(token), secret()))
                .requireReleased();
    }

    @Override
    public boolean forceRelease(String domainId, long fence) {
        return call(domainId, scriptCall(LeaseScripts.FORCE_RELEASE, domainId, Long.toString(fence), secret()))
                .code()
                .equals("RELEASED");
    }

    @Override
    public List<String> pending(int limit, String afterDomain) {
        return pages.list(LeaseScripts.PENDING, atLeastOne(limit), requireNonNull(afterDomain, "afterDomain"));
    }

    /* Domains that are deleted after their names were read do not count, so that only the last page is not full. */
    @Override
    public List<DomainSummary> domains(int limit, String afterDomain) {
        atLeastOne(limit);
        String behind = requireNonNull(afterDomain, "afterDomain");
        List<DomainSummary> summaries = new ArrayList<>();
        int most;
        List<String> names;
        do {
            most = Math.min(limit - summaries.size(), MOST_SUMMARIES_AT_ONCE);
            names = pages.list(LeaseScripts.NAMES, most, behind);
            List<List<String>> answers = calls.callAll(names.stream()
                    .map(domainId -> scriptCall(LeaseScripts.SUMMARY, domainId))
                    .toList());
            for (int i = 0; i < names.size(); i++) {
                behind = names.get(i);
                new Answer(behind, answers.get(i)).toSummary().ifPresent(summaries::add);
            }
        } while (summaries.size() < limit && names.size() == most);
        return List.copyOf(summaries);
    }

    @Override
    public Optional<DomainSummary> summary(String domainId) {
        return call(domainId, scriptCall(LeaseScripts.SUMMARY, domainId)).toSummary();
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        return call(domainId, scriptCall(LeaseScripts.INSPECT, domainId, owner, MOST_BACKLOG))
                .toSnapshot();
    }

    @Override
    public List<Long> backlogBehind(String domainId, long offset, int limit) {
        String most = Integer.toString(atLeastOne(limit));
        return call(domainId, scriptCall(LeaseScripts.BEHIND, domainId, Long.toString(offset), most))
                .toOffsets();
    }

    @Override
    public List<FailedWork> failedWork(String domainId, int limit) {
        return call(domainId, scriptCall(LeaseScripts.FAILED, domainId, Integer.toString(atLeastOne(limit))))
                .toFailedWork();
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        forgetRest(domainId, call(domainId, forgetting(domainId, upToOffset)).code(), upToOffset);
    }

    private ScriptCall forgetting(String domainId, long upToOffset) {
        return scriptCall(LeaseScripts.FORGET, domainId, SortableOffset.of(upToOffset), MOST_LEAVES_AT_ONCE);
    }

    private void forgetRest(String domainId, String first, long upToOffset) {
        String code = first;
        while (code.equals("MORE")) {
            code = call(domainId, forgetting(domainId, upToOffset)).code();
        }
    }

    @Override
    public long forgetAll(long upToOffset) {
        return sumOverDomains(domainIds -> {
            List<List<String>> answers = calls.callAll(domainIds.stream()
                    .map(domainId -> forgetting(domainId, upToOffset))
                    .toList());
            for (int i = 0; i < answers.size(); i++) {
                forgetRest(domainIds.get(i), answers.get(i).get(0), upToOffset);
            }
            return answers.size();
        });
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return call(
                        domainId,
                        scriptCall(LeaseScripts.REPLAY, domainId, Long.toString(offset), SortableOffset.of(offset)))
                .code()
                .equals("REPLAYED");
    }

    @Override
    public long deleteIdle(Duration idle) {
        String millis = millis("idle", idle);
        return sumOverDomains(domainIds -> calls
                .callAll(domainIds.stream()
                        .map(domainId -> scriptCall(LeaseScripts.DELETE_IDLE, domainId, millis))
                        .toList())
                .stream()
                .filter(answer -> answer.get(0).equals("DELETED"))
                .count());
    }

    @Override
    public long deleteFailed(Duration olderThan) {
        String millis = millis("olderThan", olderThan);
        return sumOverDomains(domainIds -> {
            long deleted = 0;
            List<FailuresOf> left = domainIds.stream()
                    .map(domainId -> new FailuresOf(domainId, ""))
                    .toList();
            while (!left.isEmpty()) {
                List<List<String>> answers = calls.callAll(left.stream()
                        .map(some -> scriptCall(
                                LeaseScripts.DELETE_FAILED, some.domainId, some.behind, millis, MOST_FAILURES_AT_ONCE))
                        .toList());
                List<FailuresOf> more = new ArrayList<>();
                for (int i = 0; i < left.size(); i++) {
                    Answer answer = new Answer(left.get(i).domainId, answers.get(i));
                    deleted += answer.number(1);
                    String last = answer.words().get(2);
                    if (!last.isEmpty()) {
                        more.add(new FailuresOf(answer.domainId(), last));
                    }
                }
                left = more;
            }
            return deleted;
        });
    }

    /** A request for the failures of a domain behind this place, or for all of them. */
    private record FailuresOf(String domainId, String behind) {}

    /** A request for a part of a shard's domains. */
    private record Page(String index, String cursor) {}

    /** Visits all domains in steps, so that the server serves others in between. */
    private long sumOverDomains(ToLongFunction<List<String>> step) {
        long sum = 0;
        List<Page> pages = keys.indexes().stream()
                .map(index -> new Page(index, FIRST_AND_LAST_CURSOR))
                .toList();
        while (!pages.isEmpty()) {
            List<List<String>> answers = calls.callAll(pages.stream()
                    .map(page -> new ScriptCall(
                            LeaseScripts.DOMAINS, "leases " + name, List.of(page.index), List.of(page.cursor)))
                    .toList());
            List<Page> next = new ArrayList<>();
            List<String> domainIds = new ArrayList<>();
            for (int i = 0; i < pages.size(); i++) {
                List<String> words = answers.get(i);
                if (!words.get(1).equals(FIRST_AND_LAST_CURSOR)) {
                    next.add(new Page(pages.get(i).index, words.get(1)));
                }
                words.stream().skip(2).map(DomainKeys::fromSortable).forEach(domainIds::add);
            }
            sum += step.applyAsLong(domainIds);
            pages = next;
        }
        return sum;
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

    private static int atLeastOne(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
        return limit;
    }

    private static String millis(String argument, Duration duration) {
        if (requireNonNull(duration, argument).isNegative()) {
            throw new IllegalArgumentException(argument + ": " + duration + " (expected: >= PT0S)");
        }
        return Long.toString(duration.compareTo(OLDEST) < 0 ? duration.toMillis() : OLDEST.toMillis());
    }

    /** A missing token, like an empty one, matches no lease. */
    private static String orEmpty(@Nullable String token) {
        return token == null ? "" : token;
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

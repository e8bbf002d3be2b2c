package io.tidegate.jdbc;

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
import io.tidegate.measure.RoundTrips;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Leases in a database: checks the arguments, calls the engine, and translates its answer. */
final class DatabaseLease implements JdbcWorkLease {
    private static final int SECRET_BYTES = 16;

    /*
     * How much one transaction reads or changes at most, since it locks domains. The bound for idle domains is greater,
     * because each transaction must search all domains for them.
     */
    private static final int MOST_DOMAINS = 10_000;
    private static final int MOST_FAILURES = 1_000;
    private static final int MOST_ROWS = 1_000;
    private static final int MOST_NAMES = 1_000;

    private static final Failure UNKNOWN_FAILURE = new Failure(0, false, "");

    private final Engine engine;
    private final Transactions transactions;
    private final LeaseTerms terms;
    private final RoundTrips trips = new RoundTrips();
    private final SecureRandom random = new SecureRandom();

    DatabaseLease(Engine engine, Transactions transactions, LeaseTerms terms) {
        this.engine = engine;
        this.transactions = transactions;
        this.terms = terms;
    }

    @Override
    public String name() {
        return terms.lease();
    }

    @Override
    public void read(Reading to) {
        trips.read(to);
    }

    @Override
    public String owner() {
        return terms.owner();
    }

    @Override
    public Duration leaseDuration() {
        return Duration.ofMillis(terms.leaseMillis());
    }

    @Override
    public OptionalInt connections() {
        return transactions.connections();
    }

    // ---- asking and finishing, alone or in the caller's transaction ----

    /** An operation of an engine on these terms. */
    @FunctionalInterface
    private interface Operation<T> {
        T run(Connection connection, LeaseTerms terms) throws SQLException;
    }

    private <T> T alone(String name, Operation<T> operation) {
        return trips.ask(name, () -> transactions.run(connection -> operation.run(connection, terms)));
    }

    private <T> T joined(Connection connection, String name, Operation<T> operation) {
        try {
            if (requireNonNull(connection, "connection").getAutoCommit()) {
                throw new IllegalArgumentException("connection: commits by itself (expected: in a transaction)");
            }
        } catch (SQLException failed) {
            throw JdbcLeaseException.of(failed);
        }
        return trips.ask(name, () -> {
            try {
                return operation.run(connection, terms.inTransactionOfCaller());
            } catch (SQLException failed) {
                throw JdbcLeaseException.of(failed);
            }
        });
    }

    @Override
    public AcquireResult tryAcquire(String domainId, long offset) {
        return alone("acquire", acquisition(domainId, offset)).toAcquireResult(domainId, offset);
    }

    @Override
    public AcquireResult tryAcquire(Connection connection, String domainId, long offset) {
        return joined(connection, "acquire", acquisition(domainId, offset)).toAcquireResult(domainId, offset);
    }

    private Operation<Answer> acquisition(String domainId, long offset) {
        Offer offer = new Offer(Names.requireDomain(domainId), offset);
        String secret = secret();
        return (connection, on) -> engine.tryAcquire(connection, on, offer, secret);
    }

    @Override
    public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
        List<Offer> asked = List.copyOf(offers);
        asked.forEach(offer -> Names.requireDomain(offer.domainId()));
        List<String> secrets = asked.stream().map(offer -> secret()).toList();
        List<Answer> answers =
                alone("acquire", (connection, on) -> engine.tryAcquireAll(connection, on, asked, secrets));
        return each(asked, answers, (offer, answer) -> answer.toAcquireResult(offer.domainId(), offer.offset()));
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        Finish finish = finish(domainId, token);
        return alone("succeed", (connection, on) -> engine.succeed(connection, on, finish))
                .toSucceedResult(domainId);
    }

    @Override
    public SucceedResult succeed(Connection connection, String domainId, String token) {
        Finish finish = finish(domainId, token);
        return joined(connection, "succeed", (joined, on) -> engine.succeed(joined, on, finish))
                .toSucceedResult(domainId);
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
        List<Finish> asked = known(finishes);
        return successes(asked, alone("succeed", (connection, on) -> engine.succeedAll(connection, on, asked)));
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(Connection connection, List<Finish> finishes) {
        List<Finish> asked = known(finishes);
        return successes(asked, joined(connection, "succeed", (joined, on) -> engine.succeedAll(joined, on, asked)));
    }

    private static List<BatchAnswer<SucceedResult>> successes(List<Finish> asked, List<Answer> answers) {
        return each(asked, answers, (finish, answer) -> answer.toSucceedResult(finish.domainId()));
    }

    @Override
    public TakeNextResult succeedAndTakeNext(String domainId, String token) {
        Finish finish = finish(domainId, token);
        String secret = secret();
        List<Answer> answers = alone(
                "succeed-and-take-next", (connection, on) -> engine.succeedAndTakeNext(connection, on, finish, secret));
        return TakeNextResult.of(
                answers.get(0).toSucceedResult(domainId), next -> answers.get(1).toAcquireResult(domainId, next));
    }

    @Override
    public FailResult fail(String domainId, String token) {
        return fail(domainId, token, UNKNOWN_FAILURE);
    }

    @Override
    public FailResult fail(String domainId, String token, Failure failure) {
        return alone("fail", failing(domainId, token, failure)).toFailResult(domainId, failure);
    }

    @Override
    public FailResult fail(Connection connection, String domainId, String token, Failure failure) {
        return joined(connection, "fail", failing(domainId, token, failure)).toFailResult(domainId, failure);
    }

    private Operation<Answer> failing(String domainId, String token, Failure failure) {
        Finish finish = finish(domainId, token);
        Failure kept = new Failure(failure.number(), failure.permanent(), Names.storable(failure.reason()));
        return (connection, on) -> engine.fail(connection, on, finish, kept);
    }

    // ---- holding ----

    @Override
    public long renew(String domainId, String token) {
        Finish lease = finish(domainId, token);
        return alone("renew", (connection, on) -> engine.renew(connection, on, lease))
                .toUntilMillis(domainId);
    }

    @Override
    public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
        List<Finish> asked = known(leases);
        List<Answer> answers = alone("renew", (connection, on) -> engine.renewAll(connection, on, asked));
        return each(asked, answers, (lease, answer) -> answer.toUntilMillis(lease.domainId()));
    }

    @Override
    public void release(String domainId, String token) {
        Finish lease = finish(domainId, token);
        alone("release", (connection, on) -> engine.release(connection, on, lease))
                .toRelease(domainId);
    }

    /* The token prevents a release of a lease that was taken after the token was read. */
    @Override
    public boolean forceRelease(String domainId, long fence) {
        Names.requireDomain(domainId);
        Optional<String> token = alone("inspect", (connection, on) -> engine.token(connection, on, domainId, fence));
        if (token.isEmpty()) {
            return false;
        }
        Finish lease = finish(domainId, token.get());
        return alone("release", (connection, on) -> engine.release(connection, on, lease))
                .code()
                .equals(Answer.RELEASED);
    }

    private static Finish finish(String domainId, @Nullable String token) {
        return new Finish(Names.requireDomain(domainId), Names.tokenOrNone(token));
    }

    private static List<Finish> known(List<Finish> finishes) {
        return finishes.stream()
                .map(finish -> finish(finish.domainId(), finish.token()))
                .toList();
    }

    private static <A, R> List<BatchAnswer<R>> each(
            List<A> asked, List<Answer> answers, BiFunction<A, Answer, R> result) {
        List<BatchAnswer<R>> results = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            A one = asked.get(i);
            Answer answer = answers.get(i);
            results.add(BatchAnswer.of(() -> result.apply(one, answer)));
        }
        return results;
    }

    // ---- reading ----

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        Names.requireDomain(domainId);
        return alone("inspect", (connection, on) -> engine.inspect(connection, on, domainId));
    }

    @Override
    public List<String> pending(int limit, String afterDomain) {
        requireLimit(limit);
        if (!afterDomain.isEmpty()) {
            Names.require("afterDomain", afterDomain);
        }
        return alone("pending", (connection, on) -> engine.pending(connection, on, limit, afterDomain));
    }

    @Override
    public List<DomainSummary> domains(int limit, String afterDomain) {
        requireLimit(limit);
        if (!afterDomain.isEmpty()) {
            Names.require("afterDomain", afterDomain);
        }
        return alone("domains", (connection, on) -> engine.domains(connection, on, limit, afterDomain));
    }

    @Override
    public Optional<DomainSummary> summary(String domainId) {
        Names.requireDomain(domainId);
        return alone("domains", (connection, on) -> engine.summary(connection, on, domainId));
    }

    @Override
    public List<FailedWork> failedWork(String domainId, int limit) {
        Names.requireDomain(domainId);
        requireLimit(limit);
        return alone("failed", (connection, on) -> engine.failedWork(connection, on, domainId, limit));
    }

    @Override
    public List<Long> backlogBehind(String domainId, long offset, int limit) {
        Names.requireDomain(domainId);
        requireLimit(limit);
        return alone("behind", (connection, on) -> engine.backlogBehind(connection, on, domainId, offset, limit));
    }

    private static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
    }

    // ---- the rest ----

    @Override
    public void forget(String domainId, long upToOffset) {
        Names.requireDomain(domainId);
        forgetInSteps(domainId, upToOffset, false);
    }

    private void forgetInSteps(String domainId, long upToOffset, boolean oneOfAll) {
        boolean isMore;
        do {
            isMore = alone(
                    "forget",
                    (connection, on) -> engine.forget(connection, on, domainId, upToOffset, MOST_ROWS, oneOfAll));
        } while (isMore);
    }

    /* Uses one transaction for each domain, so that a locked domain does not delay the others. */
    @Override
    public long forgetAll(long upToOffset) {
        String after = "";
        List<String> domains;
        do {
            String behind = after;
            domains = alone(
                    "forget", (connection, on) -> engine.remembering(connection, on, upToOffset, MOST_NAMES, behind));
            for (String domain : domains) {
                forgetInSteps(domain, upToOffset, true);
                after = domain;
            }
        } while (domains.size() == MOST_NAMES);
        return alone("count", engine::count);
    }

    @Override
    public boolean replay(String domainId, long offset) {
        Names.requireDomain(domainId);
        return alone("replay", (connection, on) -> engine.replay(connection, on, domainId, offset));
    }

    @Override
    public long deleteIdle(Duration idle) {
        long idleMillis = requireAge("idle", idle);
        return repeated(MOST_DOMAINS, (connection, on) -> engine.deleteIdle(connection, on, idleMillis, MOST_DOMAINS));
    }

    @Override
    public long deleteFailed(Duration olderThan) {
        long oldMillis = requireAge("olderThan", olderThan);
        return repeated(
                MOST_FAILURES, (connection, on) -> engine.deleteFailed(connection, on, oldMillis, MOST_FAILURES));
    }

    /* Repeats the deletion until a run deletes fewer rows than it may. */
    private long repeated(int most, Operation<Long> deletion) {
        long all = 0;
        long deleted;
        do {
            deleted = alone("delete", deletion);
            all += deleted;
        } while (deleted == most);
        return all;
    }

    /**
     * Returns milliseconds. Some databases cannot count back as far as Java; the limit is a date that all of them can
     * represent.
     */
    private static long requireAge(String what, Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException(what + ": " + age + " (expected: >= PT0S)");
        }
        return age.compareTo(LeaseTerms.LONGEST) > 0 ? LeaseTerms.LONGEST.toMillis() : age.toMillis();
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

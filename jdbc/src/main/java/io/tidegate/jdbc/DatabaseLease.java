package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.SucceedResult;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Leases in a database: checks what is asked, lets the engine do it, and puts its answer into Java's words. */
final class DatabaseLease implements JdbcWorkLease {
    private static final int SECRET_BYTES = 16;

    /* In one transaction, as it locks the domains. More of those that are idle, as each transaction has to look through all. */
    private static final int MOST_DOMAINS = 10_000;
    private static final int MOST_FAILURES = 1_000;

    private final Engine engine;
    private final Transactions transactions;
    private final Terms terms;
    private final SecureRandom random = new SecureRandom();

    DatabaseLease(Engine engine, Transactions transactions, Terms terms) {
        this.engine = engine;
        this.transactions = transactions;
        this.terms = terms;
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
    public AcquireResult tryAcquire(String domainId, long offset) {
        Offer offer = new Offer(Names.requireDomain(domainId), offset);
        String secret = secret();
        return transactions
                .run(connection -> engine.tryAcquire(connection, offer, secret, terms))
                .toAcquireResult(domainId, offset);
    }

    @Override
    public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
        List<Offer> asked = List.copyOf(offers);
        asked.forEach(offer -> Names.requireDomain(offer.domainId()));
        List<String> secrets = asked.stream().map(offer -> secret()).toList();
        List<Answer> answers = transactions.run(connection -> engine.tryAcquireAll(connection, asked, secrets, terms));
        List<BatchAnswer<AcquireResult>> results = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            Offer offer = asked.get(i);
            Answer answer = answers.get(i);
            results.add(BatchAnswer.of(() -> answer.toAcquireResult(offer.domainId(), offer.offset())));
        }
        return results;
    }

    @Override
    public SucceedResult succeed(String domainId, String token) {
        Names.requireDomain(domainId);
        String known = Names.tokenOrNone(token);
        return transactions
                .run(connection -> engine.succeed(connection, domainId, known))
                .toSucceedResult(domainId);
    }

    @Override
    public SucceedResult succeed(Connection connection, String domainId, String token) {
        Names.requireDomain(domainId);
        try {
            if (requireNonNull(connection, "connection").getAutoCommit()) {
                throw new IllegalArgumentException("connection: commits by itself (expected: in a transaction)");
            }
            return engine.succeedWithCaller(connection, domainId, Names.tokenOrNone(token))
                    .toSucceedResult(domainId);
        } catch (SQLException failed) {
            throw JdbcLeaseException.of(failed);
        }
    }

    @Override
    public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
        List<Finish> asked = finishes.stream()
                .map(finish -> new Finish(Names.requireDomain(finish.domainId()), Names.tokenOrNone(finish.token())))
                .toList();
        List<Answer> answers = transactions.run(connection -> engine.succeedAll(connection, asked));
        List<BatchAnswer<SucceedResult>> results = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            String domainId = asked.get(i).domainId();
            Answer answer = answers.get(i);
            results.add(BatchAnswer.of(() -> answer.toSucceedResult(domainId)));
        }
        return results;
    }

    @Override
    public FailResult fail(String domainId, String token) {
        Names.requireDomain(domainId);
        String known = Names.tokenOrNone(token);
        return transactions
                .run(connection -> engine.fail(connection, domainId, known, null, terms))
                .toFailResult(domainId);
    }

    @Override
    public FailResult fail(String domainId, String token, int failure) {
        Names.requireDomain(domainId);
        String known = Names.tokenOrNone(token);
        if (failure < 1) {
            throw new IllegalArgumentException("failure: " + failure + " (expected: >= 1)");
        }
        return transactions
                .run(connection -> engine.fail(connection, domainId, known, failure, terms))
                .toFailResult(domainId);
    }

    @Override
    public long renew(String domainId, String token) {
        Names.requireDomain(domainId);
        String known = Names.tokenOrNone(token);
        return transactions
                .run(connection -> engine.renew(connection, domainId, known, terms))
                .toUntilMillis(domainId);
    }

    @Override
    public Optional<DomainSnapshot> inspect(String domainId) {
        Names.requireDomain(domainId);
        return transactions.run(connection -> engine.inspect(connection, domainId, terms.owner()));
    }

    @Override
    public void forget(String domainId, long upToOffset) {
        Names.requireDomain(domainId);
        transactions.run(connection -> {
            engine.forget(connection, domainId, upToOffset);
            return true;
        });
    }

    @Override
    public boolean replay(String domainId, long offset) {
        Names.requireDomain(domainId);
        return transactions.run(connection -> engine.replay(connection, domainId, offset));
    }

    @Override
    public long deleteIdle(Duration idle) {
        long idleMillis = requireAge("idle", idle);
        return repeated(MOST_DOMAINS, connection -> engine.deleteIdle(connection, idleMillis, MOST_DOMAINS));
    }

    @Override
    public long deleteFailed(Duration olderThan) {
        long oldMillis = requireAge("olderThan", olderThan);
        return repeated(MOST_FAILURES, connection -> engine.deleteFailed(connection, oldMillis, MOST_FAILURES));
    }

    /* Until it deletes less than it could. */
    private long repeated(int most, Transactions.Body<Long> deletion) {
        long all = 0;
        long deleted;
        do {
            deleted = transactions.run(deletion);
            all += deleted;
        } while (deleted == most);
        return all;
    }

    @Override
    public List<FailedWork> failed(String domainId, int limit) {
        Names.requireDomain(domainId);
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
        return transactions.run(connection -> engine.failed(connection, domainId, limit));
    }

    /** In milliseconds. Not every database can count back as far as Java; nothing is as old as what they all can. */
    private static long requireAge(String what, Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException(what + ": " + age + " (expected: >= PT0S)");
        }
        return age.compareTo(Terms.LONGEST) > 0 ? Terms.LONGEST.toMillis() : age.toMillis();
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

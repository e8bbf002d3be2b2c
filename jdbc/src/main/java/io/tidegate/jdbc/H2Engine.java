package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.jdbc.DomainRow.Ended;
import io.tidegate.jdbc.DomainRow.Lease;
import io.tidegate.jdbc.DomainRow.Released;
import io.tidegate.jdbc.DomainRow.Run;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.Schema.Component;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** H2, where an operation is several statements: the database runs in the process, so a round trip costs nothing. */
final class H2Engine implements Engine {
    /*
     * These are the same rules as in the functions of PostgreSQL, step by step. A separate statement locks the domain's
     * row before anything else of the domain is read, so the next statements see everything committed before. Every
     * change of a domain saves its row.
     *
     * An offset is leased, queued, failed or processed. The first three sets are exact; the processed set may contain
     * more, see the design of the lease in memory.
     */
    private static final String DUPLICATE = "23505";

    private static final String OVERTAKEN = "40001";

    /** Concurrent changes of tables would deadlock. */
    private static final Semaphore UPGRADES = new Semaphore(1);

    private static final String SKIP_LOCKED = "for update skip locked";

    private static final String IDLE = """
            select id from tidegate_domain d
            where lease = ? and lease_offset is null and waiting = 0
                and changed_at <= dateadd(millisecond, cast(? as bigint), current_timestamp)
                and not exists (select 1 from tidegate_failed f where f.domain_id = d.id)
            fetch first ? rows only for update skip locked
            """;

    private static final String LAST_TO_FORGET = """
            select last_offset from tidegate_processed
            where domain_id = ? and first_offset <= ? order by first_offset offset ? rows fetch first row only
            """;

    static final String FORGET =
            "delete from tidegate_processed where domain_id = ? and first_offset <= ? and last_offset <= ?";

    private static final String RAISE_BOUND = """
            update tidegate_domain set
                forgotten = ?, run_first = case when run_last > ? then run_first end,
                run_last = case when run_last > ? then run_last end,
                changed_at = case when ? then changed_at else current_timestamp end
            where id = ?
            """;

    private static final String REMEMBERING = """
            select name from tidegate_domain
            where lease = ? and name > ? and (forgotten is null or forgotten < ?)
            order by lease, name fetch first ? rows only
            """;

    private static final String SUMMARIES = """
            select name, lease_offset, fence, owner, acquired_at, lease_until, retry_count, waiting, processed_count,
                (select count(*) from tidegate_failed f where f.domain_id = d.id) as failed_count
            from tidegate_domain d where lease = ?
            """;

    static final String DOMAINS = SUMMARIES + "and name > ? order by lease, name fetch first ? rows only";

    private static final String SUMMARY = SUMMARIES + "and name = ?";

    private static final String TOKEN = "select token from tidegate_domain where lease = ? and name = ? and fence = ?";

    private static final String LAST_PLACE = "select coalesce(max(place), 0) from tidegate_backlog where domain_id = ?";

    private static final String LAST_FENCE = "select coalesce(last_fence, 0) from tidegate_domain where id = ?";

    private static final String DOMAINS_WITH_OLD_FAILURES = """
            select distinct d.name from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
            where d.lease = ? and f.failed_at <= dateadd(millisecond, cast(? as bigint), current_timestamp)
            order by d.name
            """;

    private static final String OLD_FAILURES = """
            select work_offset from tidegate_failed
            where domain_id = ? and failed_at <= dateadd(millisecond, cast(? as bigint), current_timestamp)
            order by work_offset fetch first ? rows only
            """;

    private static final String FAILED = """
            select work_offset, f.retry_count, f.reason,
                cast(floor(extract(epoch from failed_at) * 1000) as bigint) as failed_at
            from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
            where d.lease = ? and d.name = ? order by work_offset fetch first ? rows only
            """;

    private static final String BACKLOG = "select work_offset from tidegate_backlog where domain_id = ? and place > ?"
            + " order by place fetch first ? rows only";

    private static final String CARED_FOR = """
            select id from tidegate_domain
            where lease = ? and watched > ? and look_at <= ?
                and case when token is null then lease_offset is null and waiting = 0 else lease_until > ? end
            order by lease, watched fetch first ? rows only for update skip locked
            """;

    static final String PENDING = """
            select name from tidegate_domain
            where lease = ? and watched > ? and look_at <= ?
                and case when token is null then lease_offset is not null or waiting > 0 else lease_until <= ? end
            order by lease, watched fetch first ? rows only
            """;

    @Override
    public String name() {
        return "h2";
    }

    @Override
    public List<String> scripts(Component component, int version) {
        return component.equals(Schema.CLUSTER) || version >= component.version()
                ? List.of()
                : List.of(component.script(version));
    }

    @Override
    public void beginUpgrade(Connection connection, @Nullable String lease) throws SQLException {
        setName(connection, lease);
        UPGRADES.acquireUninterruptibly();
    }

    @Override
    public void endUpgrade(Connection connection) throws SQLException {
        try {
            setName(connection, null);
            connection.commit(); // the next upgrade must see that this one is done
        } finally {
            UPGRADES.release();
        }
    }

    private static void setName(Connection connection, @Nullable String lease) throws SQLException {
        try (PreparedStatement set = prepare(connection, "set @tidegate_name = ?", lease)) {
            set.execute();
        }
    }

    @Override
    public Commit commit() {
        return Commit.AFTERWARDS;
    }

    /* H2 lists both the value that was set once and the value since the database was opened: both must be 0. */
    @Override
    public void checkDurable(Connection connection) throws SQLException {
        long delay = number(
                connection,
                "select max(cast(SETTING_VALUE as bigint)) from INFORMATION_SCHEMA.SETTINGS"
                        + " where SETTING_NAME = 'WRITE_DELAY'");
        if (delay != 0) {
            throw new JdbcLeaseException(
                    Reason.NOT_DURABLE,
                    "WRITE_DELAY: " + delay + " (expected: 0, by ;WRITE_DELAY=0 at the end of the database's URL)",
                    null);
        }
    }

    // ---- asking ----

    @Override
    public Answer tryAcquire(Connection connection, LeaseTerms terms, Offer offer, String secret) throws SQLException {
        if (terms.joined() && keepsSnapshot(connection)) {
            throw new IllegalArgumentException(
                    "connection: keeps a snapshot for its transaction (expected: READ COMMITTED, to acquire on H2)");
        }
        long offset = offer.offset();
        DomainRow domain = lockOrCreate(connection, terms, offer.domainId());
        boolean known = !domain.isBeyond(offset);
        if (known && hasFailed(connection, domain, offset)) {
            return Answer.of("ALREADY_FAILED");
        }
        if (domain.isLeased(offset)) {
            return askForLeased(connection, domain, secret, terms);
        }
        Released released = domain.released;
        if (released != null && released.offset() == offset) {
            return grant(connection, domain, offset, secret, terms, released.acquiredAt(), released.retryCount());
        }
        boolean queued = isQueued(connection, domain, offset);
        if (!queued && known && isProcessed(connection, domain, offset)) {
            return Answer.of("ALREADY_PROCESSED");
        }
        if (domain.lease != null) {
            if (!queued && domain.waiting >= terms.maxBacklog()) {
                return Answer.of("BACKLOG_FULL", terms.maxBacklog());
            }
            if (!queued) {
                enqueue(connection, domain, offset);
            }
            return Answer.of("ENQUEUED");
        }
        if (released != null) {
            return Answer.of("OUT_OF_ORDER", released.offset());
        }
        return askForHead(connection, domain, offset, secret, terms);
    }

    private static Answer askForLeased(Connection connection, DomainRow domain, String secret, LeaseTerms terms)
            throws SQLException {
        Lease lease = leaseOf(domain);
        if (lease.owner().equals(terms.owner())) {
            return Answer.ofLease("ALREADY_ACQUIRED", lease.token(), lease.fence(), lease.retryCount());
        }
        if (lease.until() > domain.now) {
            return Answer.ofHolder(lease.owner(), lease.until());
        }
        if (lease.retryCount() >= terms.maxRetries()) {
            addFailed(connection, domain, lease, "lost with its owner, no retry left");
            free(connection, domain, lease, domain.ended); // no owner finished it: the last finish stays
            return Answer.of("ALREADY_FAILED");
        }
        return grant(connection, domain, lease.offset(), secret, terms, lease.acquiredAt(), lease.retryCount() + 1);
    }

    private static Answer askForHead(
            Connection connection, DomainRow domain, long offset, String secret, LeaseTerms terms) throws SQLException {
        Long head = head(connection, domain);
        if (head != null) {
            if (head != offset) {
                return Answer.of("OUT_OF_ORDER", head);
            }
            update(
                    connection,
                    "delete from tidegate_backlog where domain_id = ? and work_offset = ?",
                    domain.id,
                    offset);
            domain.waiting--;
        }
        return grant(connection, domain, offset, secret, terms, null, 0);
    }

    private static Answer grant(
            Connection connection,
            DomainRow domain,
            long offset,
            String secret,
            LeaseTerms terms,
            @Nullable Long firstAcquiredAt,
            int retryCount)
            throws SQLException {
        long fence = lastFence(connection, domain) + 1;
        domain.lastFence = fence;
        String token = fence + "." + secret;
        long acquiredAt = firstAcquiredAt == null ? domain.now : firstAcquiredAt;
        long until = domain.now + terms.leaseMillis();
        domain.lease = new Lease(offset, token, fence, terms.owner(), acquiredAt, until, retryCount, retryCount);
        domain.released = null;
        domain.lookAfter(until);
        domain.save(connection);
        return Answer.ofLease("ACQUIRED", token, fence, retryCount);
    }

    /* When a domain of this name was deleted, its fence was committed before this domain could be created. */
    private static long lastFence(Connection connection, DomainRow domain) throws SQLException {
        return domain.lastFence == null
                ? number(connection, "select coalesce(max(fence), 0) from tidegate_fence")
                : domain.lastFence;
    }

    @Override
    public List<Answer> tryAcquireAll(Connection connection, LeaseTerms terms, List<Offer> offers, List<String> secrets)
            throws SQLException {
        List<Answer> answers = Answer.missing(offers.size());
        for (int place : Engine.placesByDomain(offers, Offer::domainId)) {
            answers.set(place, tryAcquire(connection, terms, offers.get(place), secrets.get(place)));
        }
        return answers;
    }

    // ---- finishing ----

    @Override
    public Answer succeed(Connection connection, LeaseTerms terms, Finish finish) throws SQLException {
        DomainRow domain = lock(connection, terms, finish.domainId());
        if (domain == null || !hasToken(domain, finish)) {
            return answerAgain(domain, finish, Answer.NO_BACKLOG, Answer.NEXT_HINT);
        }
        Lease lease = leaseOf(domain);
        domain.processedCount++;
        addProcessed(connection, domain, lease.offset());
        return end(connection, domain, lease, Answer.NO_BACKLOG, Answer.NEXT_HINT);
    }

    @Override
    public List<Answer> succeedAll(Connection connection, LeaseTerms terms, List<Finish> finishes) throws SQLException {
        List<Answer> answers = Answer.missing(finishes.size());
        for (int place : Engine.placesByDomain(finishes, Finish::domainId)) {
            answers.set(place, succeed(connection, terms, finishes.get(place)));
        }
        return answers;
    }

    @Override
    public List<Answer> succeedAndTakeNext(Connection connection, LeaseTerms terms, Finish finish, String secret)
            throws SQLException {
        Answer ended = succeed(connection, terms, finish);
        return ended.code().equals(Answer.NEXT_HINT)
                ? List.of(ended, tryAcquire(connection, terms, new Offer(finish.domainId(), ended.number()), secret))
                : List.of(ended);
    }

    @Override
    public Answer fail(Connection connection, LeaseTerms terms, Finish finish, Failure failure) throws SQLException {
        DomainRow domain = lock(connection, terms, finish.domainId());
        if (domain == null || !hasToken(domain, finish)) {
            return answerAgain(domain, finish, Answer.GIVE_UP_NO_BACKLOG, Answer.GIVE_UP_NEXT_HINT);
        }
        Lease lease = leaseOf(domain);
        int reported = lease.retryCount() - lease.retriesBefore();
        int number = failure.number();
        if (1 <= number && number <= reported) {
            return Answer.of("RETRY_SCHEDULED", lease.retriesBefore() + number);
        }
        if (number > reported + 1) {
            return Answer.of("FAILURE_SKIPPED", reported + 1);
        }
        if (lease.retryCount() < terms.maxRetries() && !failure.permanent()) {
            prolong(connection, domain, lease.afterFailure(), terms);
            return Answer.of("RETRY_SCHEDULED", lease.retryCount() + 1);
        }
        addFailed(connection, domain, lease, failure.reason());
        return end(connection, domain, lease, Answer.GIVE_UP_NO_BACKLOG, Answer.GIVE_UP_NEXT_HINT);
    }

    private static boolean hasToken(DomainRow domain, Finish finish) {
        return domain.lease != null && domain.lease.token().equals(finish.token());
    }

    private static Lease leaseOf(DomainRow domain) {
        if (domain.lease == null) {
            throw new IllegalStateException("lease: none (expected: one)");
        }
        return domain.lease;
    }

    private static Answer answerAgain(@Nullable DomainRow domain, Finish finish, String codeIfEmpty, String codeIfNot) {
        Ended ended = domain == null ? null : domain.ended;
        boolean same = ended != null
                && ended.token().equals(finish.token())
                && (ended.code().equals(codeIfEmpty) || ended.code().equals(codeIfNot));
        return ended != null && same ? Answer.of(ended.code(), ended.number()) : refusal(domain);
    }

    private static Answer refusal(@Nullable DomainRow domain) {
        return Answer.of(domain == null || domain.lease == null ? "LEASE_NOT_FOUND" : "TOKEN_MISMATCH");
    }

    private static Answer end(
            Connection connection, DomainRow domain, Lease lease, String codeIfEmpty, String codeIfNot)
            throws SQLException {
        Long head = head(connection, domain);
        Ended ended =
                head == null ? new Ended(lease.token(), codeIfEmpty, 0) : new Ended(lease.token(), codeIfNot, head);
        free(connection, domain, lease, ended);
        return Answer.of(ended.code(), ended.number());
    }

    private static void free(Connection connection, DomainRow domain, Lease lease, @Nullable Ended ended)
            throws SQLException {
        domain.lease = null;
        domain.ended = ended;
        domain.highest = domain.highest == null ? lease.offset() : Math.max(domain.highest, lease.offset());
        if (domain.waiting > 0) {
            domain.lookAfter(domain.now);
        }
        domain.save(connection);
    }

    // ---- holding ----

    @Override
    public Answer renew(Connection connection, LeaseTerms terms, Finish lease) throws SQLException {
        return renew(connection, terms, lease, lock(connection, terms, lease.domainId()));
    }

    @Override
    public List<Answer> renewAll(Connection connection, LeaseTerms terms, List<Finish> leases) throws SQLException {
        List<Answer> answers = new ArrayList<>();
        for (Finish lease : leases) {
            DomainRow domain = DomainRow.read(connection, terms.lease(), lease.domainId(), SKIP_LOCKED);
            boolean locked = domain == null && DomainRow.read(connection, terms.lease(), lease.domainId(), "") != null;
            answers.add(locked ? Answer.of(Answer.RENEWED, 0) : renew(connection, terms, lease, domain));
        }
        return answers;
    }

    private static Answer renew(Connection connection, LeaseTerms terms, Finish lease, @Nullable DomainRow domain)
            throws SQLException {
        return domain == null || !hasToken(domain, lease)
                ? refusal(domain)
                : Answer.of(Answer.RENEWED, prolong(connection, domain, leaseOf(domain), terms));
    }

    private static long prolong(Connection connection, DomainRow domain, Lease lease, LeaseTerms terms)
            throws SQLException {
        long until = domain.now + terms.leaseMillis();
        domain.lease = lease.until(until);
        domain.lookAfter(until);
        domain.save(connection);
        return until;
    }

    @Override
    public Answer release(Connection connection, LeaseTerms terms, Finish finish) throws SQLException {
        DomainRow domain = lock(connection, terms, finish.domainId());
        if (domain == null || !hasToken(domain, finish)) {
            return refusal(domain);
        }
        Lease lease = leaseOf(domain);
        domain.lease = null;
        domain.released = new Released(lease.offset(), lease.acquiredAt(), lease.retryCount());
        domain.lookAfter(domain.now);
        domain.save(connection);
        return Answer.of(Answer.RELEASED);
    }

    // ---- the rest ----

    @Override
    public boolean forget(
            Connection connection, LeaseTerms terms, String domainId, long upToOffset, int most, boolean oneOfAll)
            throws SQLException {
        DomainRow domain = oneOfAll ? lock(connection, terms, domainId) : lockOrCreate(connection, terms, domainId);
        if (domain == null || domain.isForgotten(upToOffset)) {
            return false;
        }
        List<Long> last = numbers(connection, LAST_TO_FORGET, domain.id, upToOffset, most - 1);
        long bound = last.isEmpty() ? upToOffset : Math.min(upToOffset, last.get(0));
        update(connection, FORGET, domain.id, bound, bound);
        update(connection, RAISE_BOUND, bound, bound, bound, oneOfAll, domain.id);
        return bound < upToOffset;
    }

    @Override
    public long count(Connection connection, LeaseTerms terms) throws SQLException {
        return number(connection, "select count(*) from tidegate_domain where lease = ?", (Object)
                DomainRow.bytes(terms.lease()));
    }

    @Override
    public List<String> remembering(
            Connection connection, LeaseTerms terms, long upToOffset, int most, String afterDomain)
            throws SQLException {
        try (PreparedStatement query = prepare(
                connection,
                REMEMBERING,
                DomainRow.bytes(terms.lease()),
                DomainRow.bytes(afterDomain),
                upToOffset,
                most)) {
            return Engine.readAll(query, row -> new String(row.getBytes("name"), UTF_8));
        }
    }

    @Override
    public boolean replay(Connection connection, LeaseTerms terms, String domainId, long offset) throws SQLException {
        DomainRow domain = lock(connection, terms, domainId);
        if (domain == null
                || update(
                                connection,
                                "delete from tidegate_failed where domain_id = ? and work_offset = ?",
                                domain.id,
                                offset)
                        == 0) {
            return false;
        }
        if (domain.lease == null) {
            domain.lookAfter(domain.now);
        }
        enqueue(connection, domain, offset);
        return true;
    }

    @Override
    public long deleteIdle(Connection connection, LeaseTerms terms, long idleMillis, int most) throws SQLException {
        long deleted = 0;
        long greatestFence = 0;
        for (long id : numbers(connection, IDLE, DomainRow.bytes(terms.lease()), -idleMillis, most)) {
            if (failedCount(connection, id) == 0) {
                greatestFence = Math.max(greatestFence, number(connection, LAST_FENCE, id));
                update(connection, "delete from tidegate_processed where domain_id = ?", id);
                update(connection, "delete from tidegate_domain where id = ?", id);
                deleted++;
            }
        }
        if (deleted > 0) {
            update(connection, "merge into tidegate_fence (fence) key (fence) values (?)", greatestFence);
            update(connection, "delete from tidegate_fence where fence < ?", greatestFence);
        }
        return deleted;
    }

    @Override
    public long deleteFailed(Connection connection, LeaseTerms terms, long oldMillis, int most) throws SQLException {
        long deleted = 0;
        for (String domainId : domainsWithOldFailures(connection, terms, oldMillis)) {
            DomainRow domain = deleted < most ? DomainRow.read(connection, terms.lease(), domainId, SKIP_LOCKED) : null;
            if (domain != null) {
                deleted += deleteFailed(connection, domain, oldMillis, most - deleted);
            }
        }
        return deleted;
    }

    private static List<String> domainsWithOldFailures(Connection connection, LeaseTerms terms, long oldMillis)
            throws SQLException {
        try (PreparedStatement query =
                prepare(connection, DOMAINS_WITH_OLD_FAILURES, DomainRow.bytes(terms.lease()), -oldMillis)) {
            return Engine.readAll(query, row -> new String(row.getBytes("name"), UTF_8));
        }
    }

    private static long deleteFailed(Connection connection, DomainRow domain, long oldMillis, long most)
            throws SQLException {
        List<Long> offsets = numbers(connection, OLD_FAILURES, domain.id, -oldMillis, most);
        for (long offset : offsets) {
            update(
                    connection,
                    "delete from tidegate_failed where domain_id = ? and work_offset = ?",
                    domain.id,
                    offset);
            addProcessed(connection, domain, offset); // the offset counts as processed from now on
        }
        domain.save(connection);
        return offsets.size();
    }

    // ---- reading ----

    /* First corrects the time of each domain that needs no owner now: to the end of its lease, or to null. */
    @Override
    public List<String> pending(Connection connection, LeaseTerms terms, int most, String afterDomain)
            throws SQLException {
        byte[] lease = DomainRow.bytes(terms.lease());
        byte[] after = DomainRow.bytes(afterDomain);
        long now = now(connection);
        for (long id : numbers(connection, CARED_FOR, lease, after, now, now, MOST_CORRECTIONS)) {
            update(connection, "update tidegate_domain set look_at = lease_until where id = ?", id);
        }
        try (PreparedStatement query = prepare(connection, PENDING, lease, after, now, now, most)) {
            return Engine.readAll(query, row -> new String(row.getBytes("name"), UTF_8));
        }
    }

    @Override
    public List<DomainSummary> domains(Connection connection, LeaseTerms terms, int most, String afterDomain)
            throws SQLException {
        try (PreparedStatement query =
                prepare(connection, DOMAINS, DomainRow.bytes(terms.lease()), DomainRow.bytes(afterDomain), most)) {
            return readSummaries(query);
        }
    }

    @Override
    public Optional<DomainSummary> summary(Connection connection, LeaseTerms terms, String domainId)
            throws SQLException {
        try (PreparedStatement query =
                prepare(connection, SUMMARY, DomainRow.bytes(terms.lease()), DomainRow.bytes(domainId))) {
            return readSummaries(query).stream().findFirst();
        }
    }

    private static List<DomainSummary> readSummaries(PreparedStatement query) throws SQLException {
        return Engine.readAll(
                query, row -> Engine.readSummary(row, new String(row.getBytes("name"), UTF_8), row.getString("owner")));
    }

    @Override
    public Optional<String> token(Connection connection, LeaseTerms terms, String domainId, long fence)
            throws SQLException {
        try (PreparedStatement query =
                prepare(connection, TOKEN, DomainRow.bytes(terms.lease()), DomainRow.bytes(domainId), fence)) {
            return Engine.readAll(query, row -> row.getString("token")).stream().findFirst();
        }
    }

    @Override
    public List<FailedWork> failedWork(Connection connection, LeaseTerms terms, String domainId, int most)
            throws SQLException {
        try (PreparedStatement query =
                prepare(connection, FAILED, DomainRow.bytes(terms.lease()), DomainRow.bytes(domainId), most)) {
            return Engine.readFailed(query);
        }
    }

    @Override
    public List<Long> backlogBehind(Connection connection, LeaseTerms terms, String domainId, long offset, int most)
            throws SQLException {
        DomainRow domain = lock(connection, terms, domainId);
        if (domain == null) {
            return List.of();
        }
        List<Long> place = domain.released != null && domain.released.offset() == offset
                ? List.of(0L)
                : numbers(
                        connection,
                        "select place from tidegate_backlog where domain_id = ? and work_offset = ?",
                        domain.id,
                        offset);
        return place.isEmpty() ? List.of() : numbers(connection, BACKLOG, domain.id, place.get(0), most);
    }

    @Override
    public Optional<DomainSnapshot> inspect(Connection connection, LeaseTerms terms, String domainId)
            throws SQLException {
        DomainRow domain = lock(connection, terms, domainId);
        if (domain == null) {
            return Optional.empty();
        }
        Optional<LeaseRecord> lease = Optional.ofNullable(domain.lease)
                .map(held -> new LeaseRecord(
                        held.offset(),
                        held.owner().equals(terms.owner()) ? held.token() : "",
                        held.fence(),
                        held.acquiredAt(),
                        held.retryCount()));
        List<Long> backlog = new ArrayList<>();
        if (domain.released != null) {
            backlog.add(domain.released.offset());
        }
        backlog.addAll(numbers(connection, BACKLOG, domain.id, 0, DomainSnapshot.MOST_BACKLOG - backlog.size()));
        return Optional.of(new DomainSnapshot(
                domainId, lease, backlog, domain.processedCount, failedCount(connection, domain.id)));
    }

    // ---- rows ----

    /*
     * In the caller's transaction, too, the row is the newest, because it is locked. The backlog may be older, if the
     * whole transaction keeps a snapshot: H2 takes one of each table when the transaction first reads it. The backlog
     * is the newest one if its size is the one in the row and its last offset is the one enqueued last. Processed
     * offsets are never read before the row: H2 refuses to lock a row that has changed since. An acquisition is refused
     * in such a transaction, see tryAcquire.
     */
    private static @Nullable DomainRow lock(Connection connection, LeaseTerms terms, String domainId)
            throws SQLException {
        String wait = terms.joined()
                ? ""
                : String.format(" wait %d.%03d", terms.waitMillis() / 1_000, terms.waitMillis() % 1_000);
        DomainRow domain = DomainRow.read(connection, terms.lease(), domainId, "for update" + wait);
        if (domain != null && terms.joined() && keepsSnapshot(connection) && !seesBacklog(connection, domain)) {
            throw new SQLException("the domain has changed since the transaction began", OVERTAKEN);
        }
        return domain;
    }

    private static boolean keepsSnapshot(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
    }

    private static boolean seesBacklog(Connection connection, DomainRow domain) throws SQLException {
        return domain.waiting == 0
                || (number(connection, "select count(*) from tidegate_backlog where domain_id = ?", domain.id)
                                == domain.waiting
                        && number(connection, LAST_PLACE, domain.id) == domain.lastPlace);
    }

    private static DomainRow lockOrCreate(Connection connection, LeaseTerms terms, String domainId)
            throws SQLException {
        while (true) {
            DomainRow domain = lock(connection, terms, domainId);
            if (domain != null) {
                return domain;
            }
            try {
                update(
                        connection,
                        "insert into tidegate_domain (lease, name) values (?, ?)",
                        DomainRow.bytes(terms.lease()),
                        DomainRow.bytes(domainId));
            } catch (SQLException failed) {
                if (!DUPLICATE.equals(failed.getSQLState())) {
                    throw failed;
                }
            }
        }
    }

    private static boolean hasFailed(Connection connection, DomainRow domain, long offset) throws SQLException {
        return !numbers(
                        connection,
                        "select work_offset from tidegate_failed where domain_id = ? and work_offset = ?",
                        domain.id,
                        offset)
                .isEmpty();
    }

    private static long failedCount(Connection connection, long id) throws SQLException {
        return number(connection, "select count(*) from tidegate_failed where domain_id = ?", id);
    }

    private static boolean isQueued(Connection connection, DomainRow domain, long offset) throws SQLException {
        return domain.waiting > 0
                && !numbers(
                                connection,
                                "select work_offset from tidegate_backlog where domain_id = ? and work_offset = ?",
                                domain.id,
                                offset)
                        .isEmpty();
    }

    private static boolean isProcessed(Connection connection, DomainRow domain, long offset) throws SQLException {
        if (domain.isForgotten(offset) || (domain.run != null && domain.run.contains(offset))) {
            return true;
        }
        PackedRuns runs = runs(connection, domain.id, "first_offset <= ? order by first_offset desc", offset);
        return runs != null && runs.contains(offset);
    }

    private static @Nullable Long head(Connection connection, DomainRow domain) throws SQLException {
        return domain.waiting == 0
                ? null
                : number(
                        connection,
                        "select work_offset from tidegate_backlog where domain_id = ?"
                                + " order by place fetch first row only",
                        domain.id);
    }

    private static void enqueue(Connection connection, DomainRow domain, long offset) throws SQLException {
        domain.waiting++;
        domain.lastPlace++;
        update(
                connection,
                "insert into tidegate_backlog (domain_id, place, work_offset) values (?, ?, ?)",
                domain.id,
                domain.lastPlace,
                offset);
        domain.save(connection);
    }

    private static void addFailed(Connection connection, DomainRow domain, Lease lease, String reason)
            throws SQLException {
        update(
                connection,
                "insert into tidegate_failed (domain_id, work_offset, retry_count, reason) values (?, ?, ?, ?)",
                domain.id,
                lease.offset(),
                lease.retryCount(),
                reason);
    }

    private static void addProcessed(Connection connection, DomainRow domain, long offset) throws SQLException {
        if (domain.isForgotten(offset)) {
            return;
        }
        Run run = domain.run;
        Run grown = run == null ? null : run.with(offset);
        if (run != null && grown == null) {
            addRun(connection, domain.id, run);
        }
        domain.run = grown == null ? new Run(offset, offset) : grown;
    }

    /*
     * The run goes into the row before it, since most runs continue the end of that row. If that row has no room, the
     * run goes to the front of the next row, or becomes a new row.
     */
    static void addRun(Connection connection, long domain, Run run) throws SQLException {
        PackedRuns row = runs(connection, domain, "first_offset < ? order by first_offset desc", run.first());
        if (row == null || (run.first() > row.tail().last() && !row.hasRoomFor(run))) {
            row = runs(connection, domain, "first_offset > ? order by first_offset", run.first());
        }
        if (row == null || (run.first() < row.first() && !row.hasRoomFor(run))) {
            insert(connection, domain, PackedRuns.of(run));
            return;
        }
        List<PackedRuns> grown = row.with(run);
        update(
                connection,
                "delete from tidegate_processed where domain_id = ? and first_offset = ?",
                domain,
                row.first());
        for (PackedRuns part : grown) {
            insert(connection, domain, part);
        }
    }

    private static @Nullable PackedRuns runs(Connection connection, long domain, String where, long offset)
            throws SQLException {
        String query =
                "select first_offset, last_offset, tail_offset, packed from tidegate_processed where domain_id = ? and "
                        + where + " fetch first row only";
        try (PreparedStatement statement = prepare(connection, query, domain, offset);
                ResultSet row = statement.executeQuery()) {
            return row.next()
                    ? new PackedRuns(
                            row.getLong("first_offset"),
                            new Run(row.getLong("tail_offset"), row.getLong("last_offset")),
                            row.getBytes("packed"))
                    : null;
        }
    }

    private static void insert(Connection connection, long domain, PackedRuns runs) throws SQLException {
        update(
                connection,
                "insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed)"
                        + " values (?, ?, ?, ?, ?)",
                domain,
                runs.first(),
                runs.tail().last(),
                runs.tail().first(),
                runs.packed());
    }

    /* Returns the engine's clock. */
    private static long now(Connection connection) throws SQLException {
        return number(connection, "select cast(floor(extract(epoch from current_timestamp) * 1000) as bigint)");
    }

    private static long number(Connection connection, String query, Object... parameters) throws SQLException {
        List<Long> numbers = numbers(connection, query, parameters);
        if (numbers.isEmpty()) {
            throw new SQLException("no row (expected: one): " + query);
        }
        return numbers.get(0);
    }

    private static List<Long> numbers(Connection connection, String query, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, query, parameters)) {
            return Engine.readAll(statement, row -> row.getLong(1));
        }
    }

    private static int update(Connection connection, String change, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, change, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }
}

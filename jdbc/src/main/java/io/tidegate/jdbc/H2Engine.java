package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.jdbc.DomainRow.Ended;
import io.tidegate.jdbc.DomainRow.Lease;
import io.tidegate.jdbc.DomainRow.Run;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.JdbcWorkLease.FailedWork;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** H2, where an operation is several statements: the database is in the process, so there is nothing to save. */
final class H2Engine implements Engine {
    /*
     * The same as the functions of PostgreSQL, step by step. The domain's row is locked by a statement of its own, before anything else of the
     * domain is read, so what follows sees all that was committed before. Every change of a domain saves its row.
     *
     * An offset is leased, queued, failed or processed. The first three are exact; the processed ones may have more, see the design of the lease in memory.
     */
    private static final String DUPLICATE = "23505";

    private static final String OVERTAKEN = "40001";

    private static final String IDLE = """
            select id from tidegate_domain d
            where token is null and waiting = 0 and changed_at <= dateadd(millisecond, cast(? as bigint), current_timestamp)
                and not exists (select 1 from tidegate_failed f where f.domain_id = d.id)
            fetch first ? rows only for update
            """;

    private static final String LAST_PLACE = "select coalesce(max(place), 0) from tidegate_backlog where domain_id = ?";

    private static final String LAST_FENCE = "select coalesce(last_fence, 0) from tidegate_domain where id = ?";

    private static final String DOMAINS_WITH_OLD_FAILURES = """
            select distinct d.name from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
            where f.failed_at <= dateadd(millisecond, cast(? as bigint), current_timestamp) order by d.name
            """;

    private static final String OLD_FAILURES = """
            select work_offset from tidegate_failed
            where domain_id = ? and failed_at <= dateadd(millisecond, cast(? as bigint), current_timestamp)
            order by work_offset fetch first ? rows only
            """;

    private static final String FAILED = """
            select work_offset, f.retry_count, cast(floor(extract(epoch from failed_at) * 1000) as bigint) as failed_at
            from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
            where d.name = ? order by work_offset fetch first ? rows only
            """;

    @Override
    public String name() {
        return "h2";
    }

    @Override
    public Commit commit() {
        return Commit.AFTERWARDS;
    }

    /* H2 lists what was set once, and what holds since the database was opened: both must be 0. */
    @Override
    public void checkDurable(Connection connection) throws SQLException {
        long delay = number(
                connection,
                "select max(cast(SETTING_VALUE as bigint)) from INFORMATION_SCHEMA.SETTINGS where SETTING_NAME = 'WRITE_DELAY'");
        if (delay != 0) {
            throw new JdbcLeaseException(
                    Reason.NOT_DURABLE,
                    "WRITE_DELAY: " + delay + " (expected: 0, by ;WRITE_DELAY=0 at the end of the database's URL)",
                    null);
        }
    }

    // ---- asking ----

    @Override
    public Answer tryAcquire(Connection connection, Offer offer, String secret, Terms terms) throws SQLException {
        long offset = offer.offset();
        DomainRow domain = lockOrCreate(connection, offer.domainId());
        if (hasFailed(connection, domain, offset)) {
            return Answer.of("ALREADY_FAILED");
        }
        if (domain.isLeased(offset)) {
            return askForLeased(connection, domain, secret, terms);
        }
        boolean queued = isQueued(connection, domain, offset);
        if (!queued && isProcessed(connection, domain, offset)) {
            return Answer.of("ALREADY_PROCESSED");
        }
        if (domain.lease != null) {
            if (!queued) {
                enqueue(connection, domain, offset);
            }
            return Answer.of("ENQUEUED");
        }
        return askForHead(connection, domain, offset, secret, terms);
    }

    private static Answer askForLeased(Connection connection, DomainRow domain, String secret, Terms terms)
            throws SQLException {
        Lease lease = leaseOf(domain);
        if (lease.owner().equals(terms.owner())) {
            return Answer.ofLease("ALREADY_ACQUIRED", lease.token(), lease.fence());
        }
        if (lease.until() > now(connection)) {
            return Answer.ofHolder(lease.owner(), lease.until());
        }
        if (lease.retryCount() >= terms.maxRetries()) {
            addFailed(connection, domain, lease);
            free(connection, domain, domain.ended); // nobody has finished it, so the last finish stays what it was
            return Answer.of("ALREADY_FAILED");
        }
        return grant(connection, domain, lease.offset(), secret, terms, lease.acquiredAt(), lease.retryCount() + 1);
    }

    private static Answer askForHead(Connection connection, DomainRow domain, long offset, String secret, Terms terms)
            throws SQLException {
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
            Terms terms,
            @Nullable Long firstAcquiredAt,
            int retryCount)
            throws SQLException {
        long fence = lastFence(connection, domain) + 1;
        domain.lastFence = fence;
        String token = fence + "." + secret;
        long now = now(connection);
        long acquiredAt = firstAcquiredAt == null ? now : firstAcquiredAt;
        long until = now + terms.leaseMillis();
        domain.lease = new Lease(offset, token, fence, terms.owner(), acquiredAt, until, retryCount, retryCount);
        domain.save(connection);
        return Answer.ofLease("ACQUIRED", token, fence);
    }

    /* What was said of the fence of a domain with this name that was deleted was committed before this one could be created. */
    private static long lastFence(Connection connection, DomainRow domain) throws SQLException {
        return domain.lastFence == null
                ? number(connection, "select coalesce(max(fence), 0) from tidegate_fence")
                : domain.lastFence;
    }

    @Override
    public List<Answer> tryAcquireAll(Connection connection, List<Offer> offers, List<String> secrets, Terms terms)
            throws SQLException {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(offers.size(), Answer.of("MISSING")));
        for (int place : Engine.placesByDomain(offers, Offer::domainId)) {
            answers.set(place, tryAcquire(connection, offers.get(place), secrets.get(place), terms));
        }
        return answers;
    }

    // ---- finishing ----

    @Override
    public Answer succeed(Connection connection, String domainId, String token) throws SQLException {
        DomainRow domain = DomainRow.lock(connection, domainId);
        if (domain == null || !hasToken(domain, token)) {
            return answerAgain(domain, token, Answer.NO_BACKLOG, Answer.NEXT_HINT);
        }
        Lease lease = leaseOf(domain);
        addProcessed(connection, domain, lease.offset());
        return end(connection, domain, lease, Answer.NO_BACKLOG, Answer.NEXT_HINT);
    }

    /*
     * In REPEATABLE READ the row is the newest, as it is locked, while the backlog may be of an older snapshot. It is the same one if as many wait and the
     * last one of them is the last that was enqueued.
     */
    @Override
    public Answer succeedWithCaller(Connection connection, String domainId, String token) throws SQLException {
        if (connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED
                && !seesBacklog(connection, DomainRow.lock(connection, domainId))) {
            throw new SQLException("the domain has changed since the transaction began", OVERTAKEN);
        }
        return succeed(connection, domainId, token);
    }

    private static boolean seesBacklog(Connection connection, @Nullable DomainRow domain) throws SQLException {
        return domain == null
                || domain.waiting == 0
                || (number(connection, "select count(*) from tidegate_backlog where domain_id = ?", domain.id)
                                == domain.waiting
                        && number(connection, LAST_PLACE, domain.id) == domain.lastPlace);
    }

    @Override
    public List<Answer> succeedAll(Connection connection, List<Finish> finishes) throws SQLException {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(finishes.size(), Answer.of("MISSING")));
        for (int place : Engine.placesByDomain(finishes, Finish::domainId)) {
            Finish finish = finishes.get(place);
            answers.set(place, succeed(connection, finish.domainId(), finish.token()));
        }
        return answers;
    }

    @Override
    public Answer fail(Connection connection, String domainId, String token, @Nullable Integer failure, Terms terms)
            throws SQLException {
        DomainRow domain = DomainRow.lock(connection, domainId);
        if (domain == null || !hasToken(domain, token)) {
            return answerAgain(domain, token, Answer.GIVE_UP_NO_BACKLOG, Answer.GIVE_UP_NEXT_HINT);
        }
        Lease lease = leaseOf(domain);
        int told = lease.retryCount() - lease.retriesBefore();
        if (failure != null && failure <= told) {
            return Answer.of("RETRY_SCHEDULED", lease.retriesBefore() + failure);
        }
        if (failure != null && failure > told + 1) {
            return Answer.of("FAILURE_SKIPPED", told + 1);
        }
        if (lease.retryCount() < terms.maxRetries()) {
            domain.lease = lease.afterFailure(now(connection) + terms.leaseMillis());
            domain.save(connection);
            return Answer.of("RETRY_SCHEDULED", lease.retryCount() + 1);
        }
        addFailed(connection, domain, lease);
        return end(connection, domain, lease, Answer.GIVE_UP_NO_BACKLOG, Answer.GIVE_UP_NEXT_HINT);
    }

    @Override
    public Answer renew(Connection connection, String domainId, String token, Terms terms) throws SQLException {
        DomainRow domain = DomainRow.lock(connection, domainId);
        if (domain == null || !hasToken(domain, token)) {
            return refusal(domain);
        }
        long until = now(connection) + terms.leaseMillis();
        domain.lease = leaseOf(domain).until(until);
        domain.save(connection);
        return Answer.of("RENEWED", until);
    }

    private static boolean hasToken(DomainRow domain, String token) {
        return domain.lease != null && domain.lease.token().equals(token);
    }

    private static Lease leaseOf(DomainRow domain) {
        if (domain.lease == null) {
            throw new IllegalStateException("lease: none (expected: one)");
        }
        return domain.lease;
    }

    private static Answer answerAgain(@Nullable DomainRow domain, String token, String codeIfEmpty, String codeIfNot) {
        Ended ended = domain == null ? null : domain.ended;
        boolean same = ended != null
                && ended.token().equals(token)
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
        free(connection, domain, ended);
        return Answer.of(ended.code(), ended.number());
    }

    private static void free(Connection connection, DomainRow domain, @Nullable Ended ended) throws SQLException {
        domain.lease = null;
        domain.ended = ended;
        domain.save(connection);
    }

    // ---- the rest ----

    @Override
    public void forget(Connection connection, String domainId, long upToOffset) throws SQLException {
        DomainRow domain = lockOrCreate(connection, domainId);
        if (domain.isForgotten(upToOffset)) {
            return;
        }
        update(
                connection,
                "delete from tidegate_processed where domain_id = ? and last_offset <= ?",
                domain.id,
                upToOffset);
        domain.forgotten = upToOffset;
        if (domain.run != null && domain.run.last() <= upToOffset) {
            domain.run = null;
        }
        domain.save(connection);
    }

    @Override
    public boolean replay(Connection connection, String domainId, long offset) throws SQLException {
        DomainRow domain = DomainRow.lock(connection, domainId);
        if (domain == null
                || update(
                                connection,
                                "delete from tidegate_failed where domain_id = ? and work_offset = ?",
                                domain.id,
                                offset)
                        == 0) {
            return false;
        }
        enqueue(connection, domain, offset);
        return true;
    }

    @Override
    public long deleteIdle(Connection connection, long idleMillis, int most) throws SQLException {
        long deleted = 0;
        long greatestFence = 0;
        for (long id : numbers(connection, IDLE, -idleMillis, most)) {
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
    public long deleteFailed(Connection connection, long oldMillis, int most) throws SQLException {
        long deleted = 0;
        for (String domainId : domainsWithOldFailures(connection, oldMillis)) {
            DomainRow domain = deleted < most ? DomainRow.lock(connection, domainId) : null;
            if (domain != null) {
                deleted += deleteFailed(connection, domain, oldMillis, most - deleted);
            }
        }
        return deleted;
    }

    private static List<String> domainsWithOldFailures(Connection connection, long oldMillis) throws SQLException {
        try (PreparedStatement query = prepare(connection, DOMAINS_WITH_OLD_FAILURES, -oldMillis);
                ResultSet row = query.executeQuery()) {
            List<String> names = new ArrayList<>();
            while (row.next()) {
                names.add(new String(row.getBytes(1), UTF_8));
            }
            return names;
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
            forgetFailure(connection, domain, offset);
        }
        domain.save(connection);
        return offsets.size();
    }

    /* Counts as processed from now on, and joins the runs beside it. */
    private static void forgetFailure(Connection connection, DomainRow domain, long offset) throws SQLException {
        if (domain.isForgotten(offset)) {
            return;
        }
        Run run = new Run(offset, offset);
        run = joined(run, storedRun(connection, domain, "first_offset < ? order by first_offset desc", offset));
        run = joined(run, storedRun(connection, domain, "first_offset > ? order by first_offset", offset));
        update(
                connection,
                "delete from tidegate_processed where domain_id = ? and first_offset between ? and ?",
                domain.id,
                run.first(),
                run.last());
        if (domain.run != null && domain.run.isBeside(run)) {
            domain.run = joined(run, domain.run);
        } else {
            addRun(connection, domain, run);
        }
    }

    private static Run joined(Run run, @Nullable Run other) {
        return other != null && run.isBeside(other)
                ? new Run(Math.min(run.first(), other.first()), Math.max(run.last(), other.last()))
                : run;
    }

    private static @Nullable Run storedRun(Connection connection, DomainRow domain, String where, long offset)
            throws SQLException {
        String query = "select first_offset, last_offset from tidegate_processed where domain_id = ? and " + where
                + " fetch first row only";
        try (PreparedStatement statement = prepare(connection, query, domain.id, offset);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? new Run(row.getLong(1), row.getLong(2)) : null;
        }
    }

    @Override
    public List<FailedWork> failed(Connection connection, String domainId, int most) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(FAILED)) {
            query.setBytes(1, DomainRow.bytes(domainId));
            query.setInt(2, most);
            return Engine.readFailed(query);
        }
    }

    @Override
    public Optional<DomainSnapshot> inspect(Connection connection, String domainId, String owner) throws SQLException {
        DomainRow domain = DomainRow.lock(connection, domainId);
        if (domain == null) {
            return Optional.empty();
        }
        Optional<LeaseRecord> lease = Optional.ofNullable(domain.lease)
                .map(held -> new LeaseRecord(
                        held.offset(),
                        held.owner().equals(owner) ? held.token() : "",
                        held.fence(),
                        held.acquiredAt(),
                        held.retryCount()));
        List<Long> backlog = numbers(
                connection, "select work_offset from tidegate_backlog where domain_id = ? order by place", domain.id);
        return Optional.of(new DomainSnapshot(
                domainId, lease, backlog, domain.processedCount, failedCount(connection, domain.id)));
    }

    // ---- rows ----

    private static DomainRow lockOrCreate(Connection connection, String domainId) throws SQLException {
        while (true) {
            DomainRow domain = DomainRow.lock(connection, domainId);
            if (domain != null) {
                return domain;
            }
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into tidegate_domain (name) values (?)")) {
                insert.setBytes(1, DomainRow.bytes(domainId));
                insert.executeUpdate();
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
        List<Long> lastOfRun = numbers(
                connection,
                "select last_offset from tidegate_processed where domain_id = ? and first_offset <= ? order by first_offset desc fetch first row only",
                domain.id,
                offset);
        return !lastOfRun.isEmpty() && lastOfRun.get(0) >= offset;
    }

    private static @Nullable Long head(Connection connection, DomainRow domain) throws SQLException {
        return domain.waiting == 0
                ? null
                : number(
                        connection,
                        "select work_offset from tidegate_backlog where domain_id = ? order by place fetch first row only",
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

    private static void addFailed(Connection connection, DomainRow domain, Lease lease) throws SQLException {
        update(
                connection,
                "insert into tidegate_failed (domain_id, work_offset, retry_count) values (?, ?, ?)",
                domain.id,
                lease.offset(),
                lease.retryCount());
    }

    private static void addProcessed(Connection connection, DomainRow domain, long offset) throws SQLException {
        domain.processedCount++;
        if (domain.isForgotten(offset)) {
            return;
        }
        Run run = domain.run;
        Run grown = run == null ? null : run.with(offset);
        if (run != null && grown == null) {
            addRun(connection, domain, run);
        }
        domain.run = grown == null ? new Run(offset, offset) : grown;
    }

    private static void addRun(Connection connection, DomainRow domain, Run run) throws SQLException {
        update(
                connection,
                "insert into tidegate_processed (domain_id, first_offset, last_offset) values (?, ?, ?)",
                domain.id,
                run.first(),
                run.last());
    }

    /* The engine's clock. */
    private static long now(Connection connection) throws SQLException {
        return number(connection, "select cast(floor(extract(epoch from current_timestamp) * 1000) as bigint)");
    }

    private static long number(Connection connection, String query, long... parameters) throws SQLException {
        List<Long> numbers = numbers(connection, query, parameters);
        if (numbers.isEmpty()) {
            throw new SQLException("no row (expected: one): " + query);
        }
        return numbers.get(0);
    }

    private static List<Long> numbers(Connection connection, String query, long... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, query, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            return numbers;
        }
    }

    private static int update(Connection connection, String change, long... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, change, parameters)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, long... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setLong(i + 1, parameters[i]);
        }
        return statement;
    }
}

package io.tidegate.ops;

import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.SharedWorkLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs each command, and makes its report. */
final class Operations {
    private static final int PAGE = 1_000;
    private static final int SHOWN_BACKLOG = 20;

    private final SharedWorkLease lease;
    private final Options options;
    private final Consumer<String> confirm;

    /** @param confirm shows its text to the operator, and returns only if the operator agrees */
    Operations(SharedWorkLease lease, Options options, Consumer<String> confirm) {
        this.lease = lease;
        this.options = options;
        this.confirm = confirm;
    }

    /**
     * What a command prints.
     *
     * @param fields for scripts
     * @param text for people
     */
    record Report(Map<String, @Nullable Object> fields, String text) {}

    Report run() {
        return switch (options.command()) {
            case LIST -> list();
            case SHOW -> show(options.words().get(0));
            case PARKED -> options.domain().map(this::parked).orElseGet(this::parkedDomains);
            case REPLAY -> replay(options.words().get(0), options.offset());
            case RELEASE -> release(options.words().get(0));
            case FORGET -> forget();
        };
    }

    // ---- looking ----

    private Report list() {
        int limit = options.limit();
        List<DomainSummary> found =
                lease.domains(limit + 1, options.value("after").orElse(""));
        List<Map<String, @Nullable Object>> rows =
                found.stream().limit(limit).map(Operations::row).toList();
        return page("domains", rows, found.size() > limit);
    }

    /** @param isMore whether there are others behind the last row */
    private static Report page(String what, List<Map<String, @Nullable Object>> rows, boolean isMore) {
        Object last = rows.isEmpty() ? null : rows.get(rows.size() - 1).get("domain");
        String text = rows.isEmpty() ? "none\n" : OutputText.table(rows);
        return new Report(
                fields(what, rows, "next", isMore ? last : null),
                isMore ? text + "more follow: --after " + OutputText.shellWord(String.valueOf(last)) + "\n" : text);
    }

    private static Map<String, @Nullable Object> row(DomainSummary domain) {
        Optional<DomainSummary.Lease> held = domain.lease();
        Optional<DomainSummary.Holder> holder = held.flatMap(DomainSummary.Lease::holder);
        return fields(
                "domain",
                domain.domainId(),
                "leased",
                held.map(DomainSummary.Lease::offset).orElse(null),
                "holder",
                holder.map(DomainSummary.Holder::owner).orElse(null),
                "until",
                holder.map(by -> Instant.ofEpochMilli(by.untilMillis())).orElse(null),
                "acquiredAt",
                held.map(of -> Instant.ofEpochMilli(of.acquiredAtMillis())).orElse(null),
                "fence",
                held.map(DomainSummary.Lease::fence).orElse(null),
                "retries",
                held.map(DomainSummary.Lease::retryCount).orElse(null),
                "waiting",
                domain.backlogSize(),
                "parked",
                domain.failedCount(),
                "processed",
                domain.processedCount());
    }

    private static Map<String, @Nullable Object> fields(@Nullable Object... keysAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return fields;
    }

    private Report show(String domainId) {
        Map<String, @Nullable Object> shown = row(known(domainId));
        List<Long> backlog =
                lease.inspect(domainId).map(DomainSnapshot::backlog).orElse(List.of());
        StringBuilder text = new StringBuilder();
        shown.forEach((key, value) ->
                text.append(String.format("%-12s %s%n", OutputText.heading(key), OutputText.cell(value))));
        if (!backlog.isEmpty()) {
            text.append(String.format(
                    "%-12s %s%s%n",
                    "next",
                    String.join(
                            ", ",
                            backlog.stream()
                                    .limit(SHOWN_BACKLOG)
                                    .map(String::valueOf)
                                    .toList()),
                    backlog.size() > SHOWN_BACKLOG ? ", …" : ""));
        }
        shown.put("backlog", backlog);
        return new Report(shown, text.toString());
    }

    private DomainSummary known(String domainId) {
        return lease.summary(domainId)
                .orElseThrow(
                        () -> new Refused("domain '" + OutputText.visible(domainId) + "' is not known under --name "
                                + OutputText.visible(lease.name()) + ": 'list' shows the known domains"));
    }

    private Report parked(String domainId) {
        DomainSummary domain = known(domainId);
        int limit = options.limit();
        List<Map<String, @Nullable Object>> rows = lease.failedWork(domainId, limit).stream()
                .map(work -> parkedRow(domainId, work))
                .toList();
        String text = rows.isEmpty() ? "none\n" : OutputText.table(rows);
        boolean isMore = domain.failedCount() > rows.size();
        return new Report(
                fields("parked", rows, "count", domain.failedCount()),
                isMore
                        ? text + "the first " + rows.size() + " of " + domain.failedCount() + ": raise --limit\n"
                        : text);
    }

    private static Map<String, @Nullable Object> parkedRow(String domainId, FailedWork work) {
        return fields(
                "domain",
                domainId,
                "offset",
                work.offset(),
                "retries",
                work.retryCount(),
                "failedAt",
                Instant.ofEpochMilli(work.failedAtMillis()),
                "reason",
                work.reason());
    }

    /**
     * Returns a row for each domain that has parked work, with the first such offset. No index leads to parked work, so
     * all domains are read.
     */
    private Report parkedDomains() {
        int limit = options.limit();
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        String after = options.value("after").orElse("");
        List<DomainSummary> domains;
        do {
            domains = lease.domains(PAGE, after);
            for (DomainSummary domain : domains) {
                after = domain.domainId();
                if (domain.failedCount() > 0 && rows.size() <= limit) {
                    lease.failedWork(after, 1).forEach(first -> {
                        Map<String, @Nullable Object> row = parkedRow(domain.domainId(), first);
                        row.put("parked", domain.failedCount());
                        rows.add(row);
                    });
                }
            }
        } while (rows.size() <= limit && domains.size() == PAGE);
        return page("parked", rows.subList(0, Math.min(limit, rows.size())), rows.size() > limit);
    }

    // ---- changing ----

    private Report replay(String domainId, long offset) {
        known(domainId);
        if (!lease.replay(domainId, offset)) {
            throw new Refused("offset " + offset + " of domain '" + OutputText.visible(domainId)
                    + "' is not parked: 'parked DOMAIN' lists what is");
        }
        return new Report(
                fields("replayed", true, "domain", domainId, "offset", offset),
                "offset " + offset + " of domain '" + OutputText.visible(domainId)
                        + "' is new work at the end of the backlog: the next sweep of a runner takes it up\n");
    }

    private Report release(String domainId) {
        DomainSummary.Lease held = known(domainId)
                .lease()
                .orElseThrow(() -> new Refused(
                        "nothing is leased in domain '" + OutputText.visible(domainId) + "': nothing to release"));
        String holder = held.holder().map(DomainSummary.Holder::owner).orElse("an unknown holder");
        confirm.accept("Offset " + held.offset() + " of domain '" + OutputText.visible(domainId) + "' is held by "
                + OutputText.visible(holder) + ", fence " + held.fence()
                + ". The next process that asks will get it; if its holder still works on it, it runs twice.");
        if (!lease.forceRelease(domainId, held.fence())) {
            throw new Refused("the lease with fence " + held.fence() + " ended in the meantime: nothing was released");
        }
        return new Report(
                fields("released", true, "domain", domainId, "offset", held.offset(), "fence", held.fence()),
                "offset " + held.offset() + " of domain '" + OutputText.visible(domainId)
                        + "' is the head of the backlog again; " + OutputText.visible(holder) + " has lost it\n");
    }

    private Report forget() {
        if (options.has("up-to")) {
            return forgetUpTo(options.upTo());
        }
        return options.has("failed") ? forgetFailed(options.age("failed")) : forgetIdle(options.age("idle"));
    }

    private Report forgetUpTo(long offset) {
        if (options.words().isEmpty()) {
            confirm.accept("In all domains of " + OutputText.visible(lease.name()) + ", every offset up to " + offset
                    + " that is not leased, waiting or parked will count as processed, even if it was never offered.");
            long domains = lease.forgetAll(offset);
            return new Report(
                    fields("domains", domains), "forgotten up to " + offset + " in " + domains + " domains\n");
        }
        String domainId = options.words().get(0);
        known(domainId);
        confirm.accept("In domain '" + OutputText.visible(domainId) + "', every offset up to " + offset
                + " that is not leased, waiting or parked will count as processed, even if it was never offered.");
        lease.forget(domainId, offset);
        return new Report(fields("domains", 1L), "forgotten up to " + offset + "\n");
    }

    private Report forgetFailed(Duration age) {
        confirm.accept("All work of " + OutputText.visible(lease.name()) + " that was parked more than "
                + options.value("failed").orElseThrow()
                + " ago will count as processed and can no longer be replayed.");
        long deleted = lease.deleteFailed(age);
        return new Report(fields("parked", deleted), "forgotten: " + deleted + " parked offsets\n");
    }

    private Report forgetIdle(Duration age) {
        confirm.accept("All domains of " + OutputText.visible(lease.name()) + " that have no work and had none for "
                + options.value("idle").orElseThrow()
                + " will be deleted. If an old offset is offered there again, it runs again.");
        long deleted = lease.deleteIdle(age);
        return new Report(fields("domains", deleted), "deleted: " + deleted + " idle domains\n");
    }
}

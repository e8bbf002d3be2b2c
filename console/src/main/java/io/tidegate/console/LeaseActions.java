package io.tidegate.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.WorkLease;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Views and control of work leases and their runners. The request's thread asks the lease, and so its engine. */
final class LeaseActions {
    private static final int MOST_SHOWN = 100;

    /** {@link WorkLease#replay} or {@link LeaseRunner#replay}. */
    interface Replay {
        boolean replay(String domain, long offset);
    }

    private LeaseActions() {}

    static Actions.Done replay(Replay lease, Body body) {
        String domain = body.only("domain", "offset").text("domain");
        long offset = body.anyWhole("offset");
        if (!lease.replay(domain, offset)) {
            throw new IllegalArgumentException("offset: " + offset + " (expected: one that has failed in this domain)");
        }
        return new Actions.Done(domain + ": " + offset + " failed", domain + ": " + offset + " waits");
    }

    /** Takes the lease away from its present owner. */
    static Actions.Done release(SharedWorkLease lease, Body body) {
        String domain = body.only("domain").text("domain");
        Optional<DomainSummary.Lease> held = lease.summary(domain).flatMap(DomainSummary::lease);
        if (held.isEmpty() || !lease.forceRelease(domain, held.get().fence())) {
            throw new IllegalArgumentException("domain: " + domain + " (expected: one that is leased)");
        }
        String holder = held.get().holder().map(DomainSummary.Holder::owner).orElse("somebody");
        return new Actions.Done(
                domain + ": " + held.get().offset() + " leased to " + holder + ", fence "
                        + held.get().fence(),
                domain + ": released");
    }

    /** Makes a runner give up a domain. */
    static Actions.Done revoke(LeaseRunner runner, Body body) {
        String domain = body.only("domain").text("domain");
        boolean done = runner.revoke(domain).toCompletableFuture().isDone();
        return new Actions.Done(domain, domain + (done ? ": not followed" : ": let go when its attempt ends"));
    }

    /** Returns a page of domains. */
    static byte[] domains(WorkLease lease, int limit, String after) {
        List<DomainSummary> page = lease.domains(limit, after);
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("domains");
            for (DomainSummary domain : page) {
                json.writeStartObject();
                write(json, domain);
                json.writeNumberField("backlog", domain.backlogSize());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** Returns one domain, with the head of its backlog and its failed work; empty if the lease does not know it. */
    static byte[] domain(WorkLease lease, String name) {
        Optional<DomainSummary> known = lease.summary(name);
        if (known.isEmpty()) {
            return new byte[0];
        }
        List<Long> backlog = lease.inspect(name).map(DomainSnapshot::backlog).orElse(List.of());
        List<FailedWork> failed = lease.failedWork(name, MOST_SHOWN);
        return Json.bytes(json -> {
            json.writeStartObject();
            write(json, known.get());
            json.writeNumberField("backlogSize", known.get().backlogSize());
            json.writeArrayFieldStart("backlog");
            for (Long offset : backlog.subList(0, Math.min(MOST_SHOWN, backlog.size()))) {
                json.writeString(offset.toString());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("failedWork");
            for (FailedWork work : failed) {
                write(json, work);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /* Offsets and fences are sent as texts: a number in a browser's script has only 53 bits. */
    private static void write(JsonGenerator json, FailedWork work) throws IOException {
        json.writeStartObject();
        json.writeStringField("offset", Long.toString(work.offset()));
        json.writeNumberField("retries", work.retryCount());
        json.writeNumberField("failedAt", work.failedAtMillis());
        json.writeStringField("reason", Json.text(work.reason()));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, DomainSummary domain) throws IOException {
        json.writeStringField("domain", Json.name(domain.domainId()));
        json.writeNumberField("processed", domain.processedCount());
        json.writeNumberField("failed", domain.failedCount());
        if (domain.lease().isPresent()) {
            DomainSummary.Lease lease = domain.lease().get();
            json.writeStringField("offset", Long.toString(lease.offset()));
            json.writeStringField("fence", Long.toString(lease.fence()));
            json.writeNumberField("retries", lease.retryCount());
            json.writeNumberField("ageMillis", Math.max(0, System.currentTimeMillis() - lease.acquiredAtMillis()));
            if (lease.holder().isPresent()) {
                json.writeStringField("holder", Json.text(lease.holder().get().owner()));
                json.writeNumberField("until", lease.holder().get().untilMillis());
            }
        }
    }
}

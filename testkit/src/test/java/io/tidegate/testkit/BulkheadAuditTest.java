package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.testkit.BulkheadAudit.Source;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BulkheadAuditTest {
    private static final int STEPS = 400;

    @ParameterizedTest
    @ValueSource(ints = {1024, 7, 1})
    void check_anyScript_findsNothing(int eventCapacity) {
        for (int seed = 0; seed < 300; seed++) {
            RemoteBulkhead bulkhead = BulkheadScript.afterRandom(seed, eventCapacity, STEPS);
            assertThat(BulkheadAudit.check(bulkhead)).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void check_everyTailOfALog_findsNothing() {
        for (int seed = 0; seed < 20; seed++) {
            List<BulkheadEvent> events =
                    BulkheadScript.afterRandom(seed, 1 << 20, STEPS).events();
            for (int from = 1; from < events.size(); from++) {
                assertThat(BulkheadAudit.check(events.subList(from, events.size()), from))
                        .as("seed " + seed + " from " + from)
                        .isEmpty();
            }
        }
    }

    @Test
    void check_aChangeIsMissing_findsIt() {
        for (int seed = 0; seed < 20; seed++) {
            List<BulkheadEvent> events =
                    BulkheadScript.afterRandom(seed, 1 << 20, STEPS).events();
            for (int gap = 1; gap < events.size() - 1; gap++) { // nothing shows what came before the first event
                if (changesCounts(events.get(gap))) {
                    List<BulkheadEvent> holey = new ArrayList<>(events);
                    holey.remove(gap);
                    assertThat(BulkheadAudit.check(holey, 0))
                            .as("seed " + seed + " without " + gap)
                            .isPresent();
                }
            }
        }
    }

    private static boolean changesCounts(BulkheadEvent event) {
        return switch (event.eventCode()) {
            case RB_PERMIT_ACQUIRED, RB_PERMIT_RELEASED, RB_CAP_CHANGED -> true;
            default -> false;
        };
    }

    @Test
    void check_aClientThatDrains_findsNothing() {
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(2)
                .policy(BackpressurePolicy.queue(4, 1_000))
                .build();
        RemoteBulkheadClient client = RemoteBulkheadClient.builder(bulkhead)
                .clock(() -> 5)
                .executor(Runnable::run)
                .build();
        RemoteCapability capability = client.takeCapability();
        List<CompletableFuture<String>> operations = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            client.submit(capability, "r" + i, () -> {
                CompletableFuture<String> operation = new CompletableFuture<>();
                operations.add(operation);
                return operation;
            });
        }
        bulkhead.setMaxInFlight(1, 6);
        CompletableFuture<?> drained = client.drain(Duration.ofDays(1)).toCompletableFuture();
        client.submit(capability, "late", CompletableFuture::new);
        for (int i = 0; i < 4; i++) {
            operations.get(i).complete("");
        }
        assertThat(drained).isDone();
        assertThat(bulkhead.events()).anyMatch(event -> event.detail().equals("reason=RB_ERR_DRAINING request=late"));
        assertThat(BulkheadAudit.check(bulkhead)).isEmpty();
    }

    static Stream<Arguments> brokenLogs() {
        return Stream.of(
                broken("INV-RB-CAPPED", 1, acquired(1, 1, "a"), acquired(2, 2, "b")),
                broken("INV-RB-CAPPED", 2, acquired(1, 1, "a"), released(1, 0), released(1, 0)),
                broken("INV-RB-CAPPED", 1, acquired(1, 1, "a"), released(2, 0)),
                broken("INV-RB-AUDITABLE", 1, acquired(1, 1, "a"), event("RB_LATENCY_REPORT", 0, 1, "latencyMs=3")),
                broken("INV-RB-AUDITABLE", 0, event("RB_LATENCY_REPORT", 0, 1, "latency 3")),
                broken("INV-RB-AUDITABLE", 0, event("RB_LATENCY_REPORT", 0, 1, "latencyMs=three")),
                broken("INV-RB-AUDITABLE", 1, acquired(1, 1, "a"), event("RB_CAP_CHANGED", 1, 3, "from=2 to=3")),
                broken("INV-RB-AUDITABLE", 2, acquired(1, 1, "a"), released(1, 0), acquired(3, 1, "b")),
                broken("INV-RB-AUDITABLE", 0, event("RB_REQUEST_REJECTED", 0, 1, "reason=RAIN request=a")),
                broken("INV-RB-BACKPRESSURE", 0, event("RB_AT_CAPACITY", 0, 1, "request=a")),
                broken("INV-RB-BACKPRESSURE", 0, event("RB_REQUEST_REJECTED", 0, 1, "reason=CANCELLED request=a")),
                broken("INV-RB-BACKPRESSURE", 0, event("RB_REQUEST_QUEUED", 0, 1, "position=1 request=a")),
                broken("INV-RB-BACKPRESSURE", 2, acquired(1, 1, "a"), full(1, "b"), released(1, 0)),
                broken("INV-RB-BACKPRESSURE", 1, acquired(1, 1, "a"), queued(1, 1, "b")),
                broken("INV-RB-BACKPRESSURE", 2, acquired(1, 1, "a"), full(1, "b"), queued(1, 2, "b")),
                broken(
                        "INV-RB-BACKPRESSURE",
                        4,
                        acquired(1, 1, "a"),
                        full(1, "b"),
                        queued(1, 1, "b"),
                        released(1, 0),
                        acquired(2, 1, "c")),
                broken(
                        "INV-RB-BACKPRESSURE",
                        6,
                        acquired(1, 1, "a"),
                        full(1, "b"),
                        queued(1, 1, "b"),
                        full(1, "c"),
                        queued(1, 2, "c"),
                        released(1, 0),
                        acquired(2, 1, "c")),
                broken(
                        "INV-RB-GATED",
                        2,
                        acquired(1, 1, "a"),
                        full(1, "b"),
                        event("RB_REQUEST_REJECTED", 1, 1, "reason=RB_ERR_NO_REMOTECAP request=b")),
                broken(
                        "INV-RB-BACKPRESSURE",
                        4,
                        acquired(1, 1, "a"),
                        full(1, "b"),
                        event("RB_REQUEST_REJECTED", 1, 1, "reason=RB_ERR_AT_CAPACITY request=b"),
                        full(1, "c"),
                        queued(1, 1, "c")),
                broken(
                        "INV-RB-BACKPRESSURE",
                        6,
                        acquired(1, 1, "a"),
                        full(1, "b"),
                        queued(1, 1, "b"),
                        full(1, "c"),
                        event("RB_REQUEST_REJECTED", 1, 1, "reason=RB_ERR_QUEUE_SATURATED request=c"),
                        full(1, "d"),
                        queued(1, 2, "d")),
                broken("INV-RB-BACKPRESSURE", 3, acquired(1, 1, "a"), full(1, "b"), queued(1, 1, "b"), full(1, "b")),
                broken(
                        "INV-RB-BACKPRESSURE",
                        5,
                        twoOut(
                                event("RB_CAP_CHANGED", 2, 1, "from=2 to=1"),
                                draining(2, 1),
                                draining(2, 1),
                                released(1, 1))),
                broken("INV-RB-SAFE-DRAIN", 2, acquired(1, 1, "a"), draining(1, 0), full(1, "b")),
                broken("INV-RB-AUDITABLE", 0, event("RB_LATENCY_REPORT", 0, 1, "latencyMs=1 latencyMs=2")),
                broken(
                        "INV-RB-AUDITABLE",
                        2,
                        acquired(1, 1, "a"),
                        full(1, "b"),
                        event("RB_REQUEST_QUEUED", 1, 1, "position=4294967297 request=b")),
                broken("INV-RB-SAFE-DRAIN", 0, event("RB_DRAIN_ACTIVE", 0, 1, "target=1")),
                broken("INV-RB-SAFE-DRAIN", 3, twoOut(event("RB_CAP_CHANGED", 2, 1, "from=2 to=1"), released(1, 1))),
                broken(
                        "INV-RB-SAFE-DRAIN",
                        5,
                        twoOut(
                                event("RB_CAP_CHANGED", 2, 1, "from=2 to=1"),
                                draining(2, 1),
                                released(1, 1),
                                released(2, 0))),
                broken(
                        "INV-RB-SAFE-DRAIN",
                        6,
                        twoOut(
                                event("RB_CAP_CHANGED", 2, 1, "from=2 to=1"),
                                draining(2, 1),
                                released(1, 1),
                                draining(1, 1),
                                acquired(3, 2, "c"))));
    }

    static Stream<Arguments> forgedLogs() {
        BulkheadEvent[] oneWaits = {acquired(1, 1, "a"), full(1, "b"), queued(1, 1, "b")};
        BulkheadEvent[] twoWait = {
            acquired(1, 1, "a"), full(1, "b"), queued(1, 1, "b"), at(1, full(1, "c")), at(1, queued(1, 2, "c"))
        };
        return Stream.of(
                broken("INV-RB-AUDITABLE", 3, and(oneWaits, refused(1, "RB_ERR_NO_LEASE", "b"))),
                broken("INV-RB-BACKPRESSURE", 3, and(oneWaits, refused(1, "RB_ERR_AT_CAPACITY", "b"))),
                broken("INV-RB-CAPPED", 1, acquired(1, 1, "a"), event("RB_CAP_CHANGED", 1, 0, "from=1 to=0")),
                broken("INV-RB-BACKPRESSURE", 3, and(oneWaits, refused(1, "RB_ERR_QUEUE_TIMEOUT", "b"))),
                broken("INV-RB-BACKPRESSURE", 5, and(twoWait, at(9, refused(1, "RB_ERR_QUEUE_TIMEOUT", "c")))),
                broken("INV-RB-BACKPRESSURE", 1, acquired(1, 1, "a"), full(1, "b")),
                broken("INV-RB-SAFE-DRAIN", 2, twoOut(event("RB_CAP_CHANGED", 2, 1, "from=2 to=1"))),
                broken(
                        "INV-RB-BACKPRESSURE",
                        6,
                        and(
                                twoWait,
                                at(10, refused(1, "RB_ERR_QUEUE_TIMEOUT", "b")),
                                at(12, full(1, "d")),
                                at(12, queued(1, 2, "d")))),
                broken("INV-RB-AUDITABLE", 2, acquired(1, 1, "a"), full(1, "b"), at(1, queued(1, 1, "b"))),
                broken("INV-RB-AUDITABLE", 0, event("RB_PERMIT_ACQUIRED", 1, 1, "request=a permit=1")),
                broken("INV-RB-AUDITABLE", 0, event("RB_PERMIT_ACQUIRED", 1, 1, "permit=01 request=a")));
    }

    private static BulkheadEvent[] and(BulkheadEvent[] events, BulkheadEvent... then) {
        return Stream.concat(Stream.of(events), Stream.of(then)).toArray(BulkheadEvent[]::new);
    }

    private static BulkheadEvent at(long nowMs, BulkheadEvent event) {
        return new BulkheadEvent(event.eventCode(), nowMs, event.inFlight(), event.maxInFlight(), event.detail());
    }

    private static BulkheadEvent refused(int inFlight, String reason, String request) {
        return event("RB_REQUEST_REJECTED", inFlight, 1, "reason=" + reason + " request=" + request);
    }

    @Test
    @DisplayName("RB-17 what a cluster allows is allowed to logs of its members")
    void check_leaseRefused_isAMembers() {
        List<BulkheadEvent> events = List.of(
                event("RB_CAP_CHANGED", 0, 1, "from=0 to=1"),
                acquired(1, 1, "a"),
                full(1, "b"),
                queued(1, 1, "b"),
                refused(1, "RB_ERR_NO_LEASE", "b"),
                event("RB_CAP_CHANGED", 1, 0, "from=1 to=0"));
        assertThat(BulkheadAudit.check(events, 0, Source.CLUSTER_MEMBER)).isEmpty();
        assertThat(BulkheadAudit.check(events, 0)).isPresent();
    }

    @Test
    @DisplayName("INV-RB-BACKPRESSURE with the policy known, a time-out a millisecond too early is found")
    void check_bulkheadsOwnLog_knowsThePolicy() {
        RemoteBulkhead bulkhead = RemoteBulkhead.create(1, BackpressurePolicy.queue(2, 10), 5);
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 0);
        bulkhead.pollQueued("b", 10);
        assertThat(BulkheadAudit.check(bulkhead)).isEmpty();
        assertThat(BulkheadAudit.check(new BorrowedLog(bulkhead, BackpressurePolicy.queue(2, 10)).bulkhead()))
                .isEmpty();
        assertThat(BulkheadAudit.check(new BorrowedLog(bulkhead, BackpressurePolicy.queue(2, 11)).bulkhead()))
                .isPresent();
        assertThat(BulkheadAudit.check(new BorrowedLog(bulkhead, BackpressurePolicy.reject()).bulkhead()))
                .isPresent();
    }

    /** A bulkhead that claims another policy than the one its log was written with. */
    private record BorrowedLog(RemoteBulkhead real, BackpressurePolicy policy) {
        RemoteBulkhead bulkhead() {
            return (RemoteBulkhead) Proxy.newProxyInstance(
                    BorrowedLog.class.getClassLoader(),
                    new Class<?>[] {RemoteBulkhead.class},
                    (proxy, method, args) -> method.getName().equals("policy") ? policy : method.invoke(real, args));
        }
    }

    @ParameterizedTest
    @MethodSource({"brokenLogs", "forgedLogs"})
    void check_brokenLog_saysWhereAndWhat(String invariant, int index, List<BulkheadEvent> events) {
        Optional<BulkheadAudit.Breach> breach = BulkheadAudit.check(events, 0);
        assertThat(breach).isPresent();
        assertThat(breach.get().index()).as(breach.toString()).isEqualTo(index);
        assertThat(breach.get().invariant()).as(breach.toString()).isEqualTo(invariant);
        assertThat(breach.get().event()).isSameAs(events.get(index));
        assertThat(breach.get().toString())
                .contains(invariant, events.get(index).toLine());
    }

    static Stream<Arguments> brokenTails() {
        return Stream.of(
                broken(
                        "INV-RB-CAPPED",
                        1,
                        event("RB_PERMIT_RELEASED", 1, 2, "permit=7"),
                        event("RB_PERMIT_RELEASED", 0, 2, "permit=7")),
                broken("INV-RB-CAPPED", 2, acquired(7, 1, "a"), released(7, 0), released(7, 0)),
                broken("INV-RB-CAPPED", 0, released(-5, 0)),
                broken("INV-RB-AUDITABLE", 1, released(9, 0), acquired(3, 1, "a")),
                broken(
                        "INV-RB-SAFE-DRAIN",
                        3,
                        full(1, "a"),
                        queued(1, 1, "a"),
                        event("RB_LATENCY_REPORT", 1, 1, "latencyMs=1"),
                        draining(1, 1)));
    }

    @ParameterizedTest
    @MethodSource("brokenTails")
    void check_brokenLogWithoutItsBeginning_saysWhereAndWhat(String invariant, int index, List<BulkheadEvent> events) {
        Optional<BulkheadAudit.Breach> breach = BulkheadAudit.check(events, 5);
        assertThat(breach).isPresent();
        assertThat(breach.get().index()).as(breach.toString()).isEqualTo(index);
        assertThat(breach.get().invariant()).as(breach.toString()).isEqualTo(invariant);
    }

    @Test
    @DisplayName("RB-2 a log written to a file and read back is the same log, whatever the ids are")
    void read_fileOfALog_givesTheLogBack(@TempDir Path folder) throws IOException {
        RemoteBulkhead bulkhead = RemoteBulkhead.create(1, BackpressurePolicy.queue(9, 10), 5);
        String[] ids = {
            "plain",
            "with spaces = and request=",
            "two\nlines\r\n",
            "back\\slash\\n",
            "ünïcødé 日本 😀",
            "half \ud83d",
            "\ude00\ud83d",
            "u2028 \u2028 \u0085"
        };
        for (String id : ids) {
            bulkhead.acquire(true, id, 1);
        }
        bulkhead.recordForegroundLatency(3);
        Path file = folder.resolve("log");
        Files.write(file, BulkheadAudit.write(bulkhead.events()));
        List<BulkheadEvent> read = BulkheadAudit.read(Files.readAllLines(file));
        assertThat(read).isEqualTo(bulkhead.events());
        assertThat(BulkheadAudit.inspect(read, Source.BULKHEAD))
                .isEqualTo(new BulkheadAudit.Report(read.size(), false, Optional.empty()));
    }

    @Test
    @DisplayName("RB-17 a log that lost its beginning is known as such, and checked as far as it goes")
    void inspect_logWithoutItsBeginning_saysSo() {
        for (int seed = 0; seed < 20; seed++) {
            List<BulkheadEvent> events =
                    BulkheadScript.afterRandom(seed, 1 << 20, STEPS).events();
            assertThat(BulkheadAudit.inspect(events, Source.BULKHEAD).lostBeginning())
                    .isFalse();
            for (int from = 1; from < events.size(); from++) {
                BulkheadAudit.Report report =
                        BulkheadAudit.inspect(events.subList(from, events.size()), Source.BULKHEAD);
                boolean permitGone = events.subList(0, from).stream()
                        .anyMatch(event -> event.eventCode() == BulkheadEventCode.RB_PERMIT_ACQUIRED);
                assertThat(report.lostBeginning())
                        .as("seed " + seed + " from " + from)
                        .isEqualTo(permitGone);
                assertThat(report.breach()).as("seed " + seed + " from " + from).isEmpty();
            }
        }
    }

    @Test
    void inspect_brokenLog_namesTheLine() {
        List<BulkheadEvent> events = List.of(acquired(1, 1, "a"), released(2, 0));
        BulkheadAudit.Report report = BulkheadAudit.inspect(events, Source.BULKHEAD);
        assertThat(report.lostBeginning()).isFalse();
        assertThat(report.breach().orElseThrow().line()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "RB_PERMIT_ACQUIRED",
                "RB_NEVER nowMs=1 inFlight=1 maxInFlight=1 x=1",
                "RB_PERMIT_RELEASED nowMs=-1 inFlight=1 maxInFlight=1 permit=1",
                "RB_PERMIT_RELEASED nowMs=1 inFlight=99999999999 maxInFlight=1 permit=1",
                "RB_AT_CAPACITY nowMs=1 inFlight=1 maxInFlight=1 request=a\\",
                "RB_AT_CAPACITY nowMs=1 inFlight=1 maxInFlight=1 request=\\x",
                "RB_AT_CAPACITY nowMs=1 inFlight=1 maxInFlight=1 request=\\uD8",
                "RB_AT_CAPACITY nowMs=1 inFlight=1 maxInFlight=1 request=\\u0041"
            })
    void read_somethingElse_namesTheLine(String line) {
        List<String> lines = List.of("RB_LATENCY_REPORT nowMs=1 inFlight=0 maxInFlight=1 latencyMs=1", line);
        assertThatThrownBy(() -> BulkheadAudit.read(lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 2: '" + line + "' (expected: CODE nowMs=N inFlight=N maxInFlight=N DETAIL)");
    }

    @Test
    void check_negativeDropped_isMisuse() {
        assertThatThrownBy(() -> BulkheadAudit.check(List.of(), -1)).hasMessage("dropped: -1 (expected: >= 0)");
    }

    private static Arguments broken(String invariant, int index, BulkheadEvent... events) {
        return Arguments.of(invariant, index, List.of(events));
    }

    private static BulkheadEvent[] twoOut(BulkheadEvent... then) {
        BulkheadEvent[] first = {
            event("RB_PERMIT_ACQUIRED", 1, 2, "permit=1 request=a"),
            event("RB_PERMIT_ACQUIRED", 2, 2, "permit=2 request=b")
        };
        return Stream.concat(Stream.of(first), Stream.of(then)).toArray(BulkheadEvent[]::new);
    }

    private static BulkheadEvent acquired(int permit, int inFlight, String request) {
        return event("RB_PERMIT_ACQUIRED", inFlight, 1, "permit=" + permit + " request=" + request);
    }

    private static BulkheadEvent released(int permit, int inFlight) {
        return event("RB_PERMIT_RELEASED", inFlight, 1, "permit=" + permit);
    }

    private static BulkheadEvent full(int inFlight, String request) {
        return event("RB_AT_CAPACITY", inFlight, 1, "request=" + request);
    }

    private static BulkheadEvent queued(int inFlight, int position, String request) {
        return event("RB_REQUEST_QUEUED", inFlight, 1, "position=" + position + " request=" + request);
    }

    private static BulkheadEvent draining(int inFlight, int target) {
        return event("RB_DRAIN_ACTIVE", inFlight, 1, "target=" + target);
    }

    private static BulkheadEvent event(String code, int inFlight, int cap, String detail) {
        return new BulkheadEvent(BulkheadEventCode.valueOf(code), 0, inFlight, cap, detail);
    }
}

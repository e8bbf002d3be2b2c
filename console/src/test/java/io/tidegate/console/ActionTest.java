package io.tidegate.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.guard.Guard;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.WorkLease;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.testkit.InMemorySharedLease;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each action on a real part, over HTTP. */
final class ActionTest {
    private final Registry registry = new Registry();
    private Console console;

    @BeforeEach
    void start() {
        ConsoleBuilder builder = new ConsoleBuilder(registry);
        builder.ticker = () -> 0;
        console = builder.port(0).controlToken(RawHttp.TOKEN).start();
    }

    @AfterEach
    void close() {
        console.close();
    }

    private void act(String path, String body, String before, String after) throws IOException {
        RawHttp.Answer answer = RawHttp.act(console, "/api/parts/" + path, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json()).containsEntry("before", before).containsEntry("after", after);
        List<Object> events = TestViewer.list(RawHttp.parts(console), "events");
        assertThat(events).anySatisfy(event -> assertThat(TestViewer.map(event)).isEqualTo(answer.json()));
    }

    private void refused(String path, String body, String error) throws IOException {
        RawHttp.Answer answer = RawHttp.act(console, "/api/parts/" + path, body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo(error);
    }

    private Object actions(String name) throws IOException {
        return TestViewer.list(RawHttp.parts(console), "parts").stream()
                .map(TestViewer::map)
                .filter(part -> part.get("name").equals(name))
                .findFirst()
                .orElseThrow()
                .get("actions");
    }

    @Test
    @DisplayName("CN-2 a breaker is forced open, disabled and reset; without a body, too")
    void breaker_actions_done() throws IOException {
        CircuitBreaker breaker = registry.add(CircuitBreaker.of("prices"));
        act("breaker/prices/force-open", "{}", "CLOSED", "FORCED_OPEN");
        act("breaker/prices/disable", "", "FORCED_OPEN", "DISABLED");
        act("breaker/prices/reset", "{}", "DISABLED", "CLOSED");
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        refused("breaker/prices/reset", "{\"now\":true}", "now: true (expected: an empty object)");
        assertThat(actions("prices")).isEqualTo(List.of("force-open", "reset", "disable"));
    }

    @Test
    @DisplayName("CN-2 a bulkhead's limit is set; an adaptive bulkhead and a guard have no action")
    void bulkhead_setLimit_done() throws IOException {
        AsyncBulkhead fixed =
                registry.add(AsyncBulkhead.builder(8).name("fixed").build());
        registry.add(AdaptiveLimit.gradient().name("moves").build());
        registry.add(Guard.builder("guard").build());
        act("bulkhead/fixed/set-limit", "{\"limit\":3}", "8", "3");
        assertThat(fixed.maxInFlight()).isEqualTo(3);
        assertThat(actions("moves")).isEqualTo(List.of());
        refused("bulkhead/moves/set-limit", "{\"limit\":3}", "action: set-limit (expected: none on a bulkhead)");
        refused("guard/guard/reset", "{}", "action: reset (expected: none on a guard)");
    }

    @Test
    @DisplayName("CN-2 the cap of a remote bulkhead is set by its client")
    void remote_setLimit_done() throws IOException {
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(8).name("shipping").build();
        registry.add(RemoteBulkheadClient.of(bulkhead));
        act("remote/shipping/set-limit", "{\"limit\":12}", "8", "12");
        assertThat(bulkhead.maxInFlight()).isEqualTo(12);
    }

    @Test
    @DisplayName("CN-2 a rate is set")
    void rate_setRate_done() throws IOException {
        registry.add(
                RateLimiter.builder(100, Duration.ofSeconds(1)).name("mails").build());
        act("rate/mails/set-rate", "{\"permits\":30,\"periodMillis\":60000}", "100 a second", "0.5 a second");
        refused(
                "rate/mails/set-rate",
                "{\"permits\":30}",
                "periodMillis: not given (expected: a whole number from 1 to 1000000000000)");
    }

    @Test
    @DisplayName("CN-2 limits of groups are set, and a group is evicted when it is idle")
    void group_actions_done() throws Exception {
        try (GroupExecutor groups = GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder()
                .name("tenants")
                .defaultMaxConcurrencyPerGroup(2)
                .build())) {
            registry.add(groups);
            CountDownLatch hold = new CountDownLatch(1);
            var busy = groups.submit("acme", "1", () -> {
                hold.await();
                return 1;
            });
            groups.submit("zeta", "1", () -> 1).join();
            act("group/tenants/set-limit", "{\"limit\":7}", "unknown", "7");
            act("group/tenants/set-limit", "{\"limit\":9}", "7", "9");
            act("group/tenants/set-limit", "{\"limit\":5,\"group\":\"acme\"}", "2 in acme", "5 in acme");
            act("group/tenants/evict", "{\"group\":\"zeta\"}", "zeta: 0 in flight, 0 waiting", "zeta: forgotten");
            act(
                    "group/tenants/evict",
                    "{\"group\":\"acme\"}",
                    "acme: 1 in flight, 0 waiting",
                    "acme: forgotten when idle");
            refused("group/tenants/evict", "{\"group\":\"nobody\"}", "group: nobody (expected: one that is known)");
            refused("group/tenants/evict", "{}", "group: not given (expected: a text that is not blank)");

            Map<String, Object> shown = RawHttp.get(console, "/api/parts/group/tenants/groups?limit=10")
                    .json();
            assertThat(shown).containsEntry("total", 1L);
            assertThat(TestViewer.map(TestViewer.list(shown, "groups").get(0)))
                    .containsEntry("group", "acme")
                    .containsEntry("inFlight", 1L)
                    .containsEntry("maxConcurrency", 5L);
            hold.countDown();
            busy.join();
        }
    }

    @Test
    @DisplayName("CN-4 of many groups those with most to do are shown, or those whose tasks wait longest")
    void group_order_asAsked() throws Exception {
        try (GroupExecutor groups = GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder()
                .name("tenants")
                .defaultMaxConcurrencyPerGroup(1)
                .build())) {
            registry.add(groups);
            CompletableFuture<Integer> hold = new CompletableFuture<>();
            for (String group : List.of("patient", "patient", "loaded", "loaded", "loaded")) {
                groups.submit(group, "task", hold::get);
            }
            assertThat(firstGroup("")).isEqualTo("loaded");
            assertThat(firstGroup("&by=load")).isEqualTo("loaded");
            assertThat(firstGroup("&by=wait")).isEqualTo("patient");
            assertThat(RawHttp.get(console, "/api/parts/group/tenants/groups?by=name")
                            .error())
                    .isEqualTo("by: name (expected: load or wait)");
            hold.complete(1);
        }
    }

    private Object firstGroup(String order) throws IOException {
        Map<String, Object> shown = RawHttp.get(console, "/api/parts/group/tenants/groups?limit=1" + order)
                .json();
        return TestViewer.map(TestViewer.list(shown, "groups").get(0)).get("group");
    }

    @Test
    @DisplayName("CN-2 failed work is replayed; domains are shown page by page, and one with what is in it")
    void lease_replay_done() throws IOException {
        WorkLease lease = registry.add(WorkLease.builder(0).name("orders").build());
        for (int i = 0; i < 30; i++) {
            lease.tryAcquire("domain-%02d/ä".formatted(i), 1);
        }
        String token = ((AcquireResult.Acquired) lease.tryAcquire("failing", 7)).token();
        lease.tryAcquire("failing", 8);
        lease.fail("failing", token, new Failure(1, true, "<b>no</b>"));

        Map<String, Object> page = RawHttp.get(
                        console, "/api/parts/lease/orders/domains?limit=2&after=domain-03%2F%C3%A4")
                .json();
        assertThat(TestViewer.list(page, "domains"))
                .extracting(domain -> TestViewer.map(domain).get("domain"))
                .containsExactly("domain-04/ä", "domain-05/ä");
        assertThat(TestViewer.map(TestViewer.list(page, "domains").get(0)))
                .containsEntry("offset", "1")
                .containsEntry("backlog", 0L)
                .containsEntry("failed", 0L)
                .containsKeys("fence", "ageMillis", "retries");
        Map<String, Object> one =
                RawHttp.get(console, "/api/parts/lease/orders/domains/failing").json();
        assertThat(one).containsEntry("domain", "failing").containsEntry("failed", 1L);
        assertThat(TestViewer.map(TestViewer.list(one, "failedWork").get(0)))
                .containsEntry("offset", "7")
                .containsEntry("reason", "<b>no</b>");
        assertThat(RawHttp.get(console, "/api/parts/lease/orders/domains/domain-04%2F%C3%A4")
                        .status())
                .isEqualTo(200);
        assertThat(RawHttp.get(console, "/api/parts/lease/orders/domains/nothing")
                        .status())
                .isEqualTo(404);
        assertThat(RawHttp.get(console, "/api/parts/lease/orders/domains?limit=0")
                        .error())
                .isEqualTo("limit: 0 (expected: 1 to 1000)");
        assertThat(RawHttp.get(console, "/api/parts/lease/orders/domains/failing")
                        .body())
                .doesNotContain(token);

        act("lease/orders/replay", "{\"domain\":\"failing\",\"offset\":7}", "failing: 7 failed", "failing: 7 waits");
        refused(
                "lease/orders/replay",
                "{\"domain\":\"failing\",\"offset\":\"-9223372036854775808\"}",
                "offset: -9223372036854775808 (expected: one that has failed in this domain)");
        refused(
                "lease/orders/replay",
                "{\"domain\":\"failing\",\"offset\":\"9223372036854775808\"}",
                "offset: 9223372036854775808 (expected: a whole number of 64 bits)");
        refused(
                "lease/orders/replay",
                "{\"domain\":\"failing\",\"offset\":7}",
                "offset: 7 (expected: one that has failed in this domain)");
        assertThat(actions("orders")).isEqualTo(List.of("replay")); // without a shared engine no domain can be released
    }

    @Test
    @DisplayName("CN-2 the lease of a holder that is stuck is released, and its domain shows that")
    void lease_release_done() throws IOException {
        SharedWorkLease lease =
                new InMemorySharedLease.Store(Clock.systemUTC()).lease("orders", 3, "worker-1", Duration.ofHours(1));
        registry.add(lease);
        lease.tryAcquire("order-7", 42);
        Map<String, Object> shown =
                RawHttp.get(console, "/api/parts/lease/orders/domains/order-7").json();
        assertThat(shown).containsEntry("holder", "worker-1").containsEntry("offset", "42");
        act(
                "lease/orders/release",
                "{\"domain\":\"order-7\"}",
                "order-7: 42 leased to worker-1, fence " + shown.get("fence"),
                "order-7: released");
        assertThat(lease.summary("order-7").orElseThrow().lease()).isEmpty();
        refused("lease/orders/release", "{\"domain\":\"order-7\"}", "domain: order-7 (expected: one that is leased)");
    }

    @Test
    @DisplayName("CN-2 viewers of a lease that hangs, however many, do not keep out a request with the token")
    void act_manyLookIntoHangingLease_done() throws Exception {
        CircuitBreaker breaker = registry.add(CircuitBreaker.of("prices"));
        CountDownLatch end = new CountDownLatch(1);
        WorkLease orders = WorkLease.builder(0).name("orders").build();
        registry.add((WorkLease) Proxy.newProxyInstance(
                WorkLease.class.getClassLoader(), new Class<?>[] {WorkLease.class}, (lease, method, given) -> {
                    if (method.getName().equals("domains")) {
                        end.await();
                    }
                    return method.invoke(orders, given);
                }));
        List<Socket> lookers = new ArrayList<>();
        try {
            RawHttp.Answer answer;
            do { // until the viewers have taken all of their room
                Socket looker = RawHttp.connect(console);
                lookers.add(looker);
                String request = "GET /api/parts/lease/orders/domains HTTP/1.1\r\nHost: localhost\r\n\r\n";
                looker.getOutputStream().write(request.getBytes(US_ASCII));
                answer = RawHttp.get(console, "/api/parts/lease/orders/domains/order-7");
            } while (answer.status() != 429);
            act("breaker/prices/force-open", "{}", "CLOSED", "FORCED_OPEN");
            assertThat(breaker.state()).hasToString("FORCED_OPEN");
        } finally {
            end.countDown();
            for (Socket looker : lookers) {
                looker.close();
            }
        }
    }

    @Test
    @DisplayName("CN-2 a runner lets go of a domain, at once or when its attempt ends")
    void runner_release_letsGo() throws Exception {
        SharedWorkLease lease =
                new InMemorySharedLease.Store(Clock.systemUTC()).lease("orders", 3, "worker-1", Duration.ofHours(1));
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        LeaseRunner runner = LeaseRunner.builder(
                        lease,
                        work -> {
                            started.countDown();
                            end.await();
                        },
                        threads,
                        scheduler)
                .name("runner")
                .build();
        try {
            registry.add(runner);
            assertThat(actions("runner")).isEqualTo(List.of("replay", "release"));
            act("lease/runner/release", "{\"domain\":\"idle\"}", "idle", "idle: not followed");
            runner.offer("order-7", 42);
            started.await();
            act("lease/runner/release", "{\"domain\":\"order-7\"}", "order-7", "order-7: let go when its attempt ends");
        } finally {
            end.countDown();
            runner.stop().toCompletableFuture().get(5, TimeUnit.MINUTES);
            scheduler.shutdownNow();
            threads.shutdownNow();
        }
    }
}

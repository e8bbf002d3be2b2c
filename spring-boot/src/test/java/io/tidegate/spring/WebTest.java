package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.guard.TimeLimitExceededException;
import io.tidegate.rate.RateLimiter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application in a real container, asked over HTTP; the same on each stack. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WebTest {
    private static final String PROPERTIES = """
            tidegate.guards.inventory.time-limit=20s
            tidegate.guards.inventory.rate-limit.permits=1000000
            tidegate.guards.inventory.breaker=
            tidegate.guards.inventory.bulkhead.max-in-flight=64
            tidegate.inbound.max-in-flight=2
            tidegate.inbound.paths=/api/**
            management.endpoints.web.exposure.include=*
            management.endpoint.tidegate.access=unrestricted
            management.endpoint.health.show-details=always
            management.endpoint.health.probes.enabled=true
            management.endpoint.health.probes.add-additional-paths=true
            """;

    private final WebApplicationType type;
    private final String more;
    private ConfigurableApplicationContext app;

    WebTest(WebApplicationType type, String more) {
        this.type = type;
        this.more = more;
    }

    @BeforeAll
    void start() {
        app = Apps.start(type, PROPERTIES + more, App.class);
    }

    @AfterAll
    void stop() {
        app.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Inventory.class})
    static class App {}

    @RestController
    static class Api {
        private final Inventory inventory;
        volatile CompletableFuture<String> gate = new CompletableFuture<>();

        Api(Inventory inventory) {
            this.inventory = inventory;
        }

        @GetMapping("/api/hold")
        CompletableFuture<String> hold() {
            return gate;
        }

        @GetMapping("/api/fail")
        String fail() {
            throw new IllegalStateException("no luck");
        }

        @GetMapping("/api/stock")
        String stock() {
            return inventory.stock();
        }

        @GetMapping("/open")
        String open() {
            return "open";
        }
    }

    @Service("shelf")
    static class Inventory {
        @Guarded("inventory")
        String stock() {
            return "stock " + isVirtual();
        }

        private static boolean isVirtual() {
            try {
                return (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
            } catch (ReflectiveOperationException older) {
                return false;
            }
        }
    }

    private AsyncBulkhead bulkhead(String name) {
        return (AsyncBulkhead)
                app.getBean(Registry.class).find("bulkhead", name).orElseThrow();
    }

    private void awaitInFlight(int count) {
        await().atMost(Duration.ofMinutes(1)).until(() -> bulkhead("inbound").inFlight() == count);
    }

    // Inbound

    @Test
    @DisplayName("SB-5 what is too much is answered at once with 503, Retry-After and a problem with its code")
    void inbound_full_refuses() {
        Api api = app.getBean(Api.class);
        api.gate = new CompletableFuture<>();
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            held.add(Apps.getLater(app, "/api/hold"));
        }
        awaitInFlight(2);

        HttpResponse<String> refused = Apps.get(app, "/api/stock");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        assertThat(refused.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(Apps.json(refused)).containsEntry("status", 503).containsEntry("code", "AB_ERR_FULL");
        for (String never : List.of(
                "/open",
                "/actuator",
                "/actuator/health",
                "/actuator/health/liveness",
                "/livez",
                "/actuator/tidegate",
                "/actuator/tidegate/bulkhead/inbound")) {
            assertThat(Apps.get(app, never).statusCode()).as(never).isEqualTo(200);
        }

        api.gate.complete("done");
        assertThat(held).allSatisfy(each -> assertThat(each.join().body()).isEqualTo("done"));
        awaitInFlight(0);
        assertThat(Apps.get(app, "/api/stock").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("SB-5 a request that ends with an error counts once, and leaves its place")
    void inbound_error_countsOnce() {
        awaitInFlight(0);
        long before = bulkhead("inbound").stats().admitted();
        assertThat(Apps.get(app, "/api/fail").statusCode()).isEqualTo(500);
        assertThat(Apps.get(app, "/api/nothing").statusCode()).isEqualTo(404);
        awaitInFlight(0);
        assertThat(bulkhead("inbound").stats().admitted()).isEqualTo(before + 2);
    }

    @Test
    @DisplayName("SB-5 what fails later, and what its caller gives up, leaves its place")
    void inbound_endsLater_leavesItsPlace() {
        Api api = app.getBean(Api.class);
        api.gate = new CompletableFuture<>();
        CompletableFuture<HttpResponse<String>> failing = Apps.getLater(app, "/api/hold");
        awaitInFlight(1);
        api.gate.completeExceptionally(new IllegalStateException("no luck"));
        assertThat(failing.join().statusCode()).isEqualTo(500);
        awaitInFlight(0);
    }

    @Test
    @DisplayName("SB-7 guarded methods run on the container's threads, virtual or not")
    void guarded_runsOnTheContainersThread() {
        assertThat(Apps.get(app, "/api/stock").body()).isEqualTo("stock " + more.contains("virtual.enabled=true"));
    }

    // The actuator

    @Test
    @DisplayName("SB-3 the endpoint lists the parts with their measures, and shows one")
    void endpoint_showsParts() {
        Map<String, Object> all = Apps.json(Apps.get(app, "/actuator/tidegate"));
        assertThat(all.get("parts").toString())
                .contains("kind=guard, name=inventory")
                .contains("kind=breaker, name=inventory")
                .contains("kind=rate, name=inventory")
                .contains("kind=bulkhead, name=inbound");
        Map<String, Object> one = Apps.json(Apps.get(app, "/actuator/tidegate/bulkhead/inventory"));
        assertThat(one).containsEntry("kind", "bulkhead").containsEntry("name", "inventory");
        assertThat(one.get("measures").toString()).contains("{measure=limit, value=64.0}");
        assertThat(Apps.get(app, "/actuator/tidegate/bulkhead/nobody").statusCode())
                .isEqualTo(404);
    }

    @Test
    @DisplayName("SB-1 with Micrometer there the measures are meters")
    void metrics_areThere() {
        assertThat(Apps.get(app, "/actuator/prometheus").body())
                .contains("tidegate_guard_calls_total{name=\"inventory\"}")
                .contains("tidegate_bulkhead_limit{name=\"inbound\"} 2.0");
    }

    @Test
    @DisplayName("SB-3 write operations change a part; health tells of an open breaker and stays UP")
    void endpoint_changesParts() {
        CircuitBreaker breaker = (CircuitBreaker)
                app.getBean(Registry.class).find("breaker", "inventory").orElseThrow();
        assertThat(change("breaker/inventory/forceOpen", "{}").statusCode()).isEqualTo(200);
        assertThat(breaker.state()).isEqualTo(State.FORCED_OPEN);
        HttpResponse<String> health = Apps.get(app, "/actuator/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"tidegate\"").contains("\"breaker\":\"FORCED_OPEN\"");
        assertThat(Apps.get(app, "/api/stock").statusCode()).isEqualTo(500);
        assertThat(change("breaker/inventory/reset", "{}").statusCode()).isEqualTo(200);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(Apps.get(app, "/api/stock").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("SB-6 limits, rates and time limits change by the actuator; bad ones change nothing")
    void endpoint_setsLimits() {
        RateLimiter rate = (RateLimiter)
                app.getBean(Registry.class).find("rate", "inventory").orElseThrow();
        assertThat(change("bulkhead/inventory/setLimit", "{\"limit\": 32}").statusCode())
                .isEqualTo(200);
        assertThat(bulkhead("inventory").maxInFlight()).isEqualTo(32);
        assertThat(change("rate/inventory/setLimit", "{\"permits\": 500000, \"period\": \"1s\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(rate.nanosUntil(500_000)).isNotNegative();
        for (String[] bad : new String[][] {
            {"bulkhead/inventory/setLimit", "{\"limit\": 0}"},
            {"bulkhead/inventory/setLimit", "{}"},
            {"rate/inventory/setLimit", "{\"permits\": 5}"},
            {"guard/inventory/setLimit", "{}"},
            {"guard/inventory/setLimit", "{\"timeLimit\": \"0s\"}"},
            {"guard/inventory/setLimit", "{\"attemptTimeLimit\": \"1s\"}"},
            {"breaker/inventory/setLimit", "{\"limit\": 1}"},
            {"breaker/inventory/explode", "{}"}
        }) {
            assertThat(change(bad[0], bad[1]).statusCode()).as(bad[0] + bad[1]).isEqualTo(400);
        }
        assertThat(change("bulkhead/nobody/setLimit", "{\"limit\": 3}").statusCode())
                .isEqualTo(404);
        assertThat(bulkhead("inventory").maxInFlight()).isEqualTo(32);
        change("bulkhead/inventory/setLimit", "{\"limit\": 64}");
    }

    @Test
    @DisplayName("SB-6 a time limit set by the actuator is that of the next call")
    void endpoint_setsTimeLimit() {
        Guard guard = app.getBean("inventory", Guard.class);
        assertThat(change("guard/inventory/setLimit", "{\"timeLimit\": \"1ms\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(guard.submit(CompletableFuture::new)
                        .handle((value, error) -> bare(error))
                        .toCompletableFuture()
                        .join())
                .isInstanceOfSatisfying(
                        TimeLimitExceededException.class,
                        error -> assertThat(error.limit()).isEqualTo(Duration.ofMillis(1)));
        change("guard/inventory/setLimit", "{\"timeLimit\": \"20s\"}");
    }

    private static Throwable bare(Throwable error) {
        return error instanceof CompletionException ? error.getCause() : error;
    }

    private HttpResponse<String> change(String what, String json) {
        return Apps.post(app, "/actuator/tidegate/" + what, json);
    }
}

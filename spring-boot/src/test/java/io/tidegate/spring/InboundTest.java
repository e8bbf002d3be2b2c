package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.Refusal;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.CircuitOpenException;
import io.tidegate.bulkhead.AsyncBulkhead;
import java.io.Serial;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Too many requests for an application in a real container. The tests are the same on each stack. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InboundTest {
    private static final String PROPERTIES = """
            tidegate.guards.inventory.time-limit=20s
            tidegate.guards.inventory.rate-limit.permits=1000000
            tidegate.guards.inventory.breaker=
            tidegate.guards.inventory.bulkhead.max-in-flight=64
            tidegate.guards.shut.breaker=
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
    ConfigurableApplicationContext app;

    InboundTest(WebApplicationType type, String more) {
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
    @Import({Api.class, Shut.class, Inventory.class})
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

        @GetMapping("/api/block")
        String block() {
            return gate.join();
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

    @RestController
    static class Shut {
        private final Inventory inventory;

        Shut(Inventory inventory) {
            this.inventory = inventory;
        }

        @GetMapping("/shut")
        String now() {
            return inventory.shut();
        }

        @GetMapping("/shut-later")
        CompletionStage<String> later() {
            return inventory.shutLater();
        }

        @GetMapping("/shut-own-status")
        String ownStatus() {
            try {
                return inventory.shut();
            } catch (RuntimeException refused) {
                throw new ResponseStatusException(HttpStatus.CONFLICT, "mine", refused);
            }
        }

        @GetMapping("/shut-handled")
        String handled() {
            throw new Mine(Refusal.in(refusal()).orElseThrow());
        }

        private RuntimeException refusal() {
            try {
                throw new AssertionError(inventory.shut());
            } catch (RuntimeException refused) {
                return refused;
            }
        }

        @ExceptionHandler
        ResponseEntity<String> answer(Mine mine) {
            return ResponseEntity.status(HttpStatus.CONFLICT).body(mine.getMessage());
        }
    }

    /** A refusal by the application, which the application answers itself. */
    static final class Mine extends RuntimeException implements Refusal {
        @Serial
        private static final long serialVersionUID = 1;

        Mine(Refusal refusal) {
            super(refusal.code());
        }

        @Override
        public String code() {
            return "MINE";
        }

        @Override
        public String source() {
            return "mine";
        }

        @Override
        public Duration retryAfter() {
            return Duration.ZERO;
        }
    }

    @Service("shelf")
    static class Inventory {
        @Guarded("shut")
        String shut() {
            return "never";
        }

        @Guarded("shut")
        CompletionStage<String> shutLater() {
            return CompletableFuture.completedStage("never");
        }

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

    // Refusals

    @Test
    @DisplayName(
            "SB-5 what a guard refuses is answered with 503, Retry-After and its code, unless the application answers")
    void refused_byGuard_answered() {
        ((CircuitBreaker) app.getBean(Registry.class).find("breaker", "shut").orElseThrow()).forceOpen();
        for (String path : List.of("/shut", "/shut-later")) {
            HttpResponse<String> refused = Apps.get(app, path);
            assertThat(refused.statusCode()).as(path).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After"))
                    .hasValueSatisfying(
                            seconds -> assertThat(Long.parseLong(seconds)).isPositive());
            assertThat(refused.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
            assertThat(Apps.json(refused))
                    .containsEntry("status", 503)
                    .containsEntry("code", CircuitOpenException.CODE)
                    .containsEntry("detail", "The service cannot do this now.");
        }
        assertThat(Apps.get(app, "/shut-own-status").statusCode()).isEqualTo(409);
        HttpResponse<String> handled = Apps.get(app, "/shut-handled");
        assertThat(handled.statusCode()).isEqualTo(409);
        assertThat(handled.body()).isEqualTo(CircuitOpenException.CODE);
        assertThat(Apps.get(app, "/api/fail").statusCode()).as("no refusal").isEqualTo(500);
    }

    AsyncBulkhead bulkhead(String name) {
        return (AsyncBulkhead)
                app.getBean(Registry.class).find("bulkhead", name).orElseThrow();
    }

    void awaitInFlight(int count) {
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
    @DisplayName("SB-5 a request that ends with an error counts once, and gives its permit back")
    void inbound_error_countsOnce() {
        awaitInFlight(0);
        long before = bulkhead("inbound").stats().admitted();
        assertThat(Apps.get(app, "/api/fail").statusCode()).isEqualTo(500);
        assertThat(Apps.get(app, "/api/nothing").statusCode()).isEqualTo(404);
        awaitInFlight(0);
        assertThat(bulkhead("inbound").stats().admitted()).isEqualTo(before + 2);
    }

    @Test
    @DisplayName("SB-5 what fails later gives its permit back")
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
}

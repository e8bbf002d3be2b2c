package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.guard.Guard;
import io.tidegate.guard.TimeLimitExceededException;
import io.tidegate.rate.RateLimiter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** Shows and changes parts over HTTP in an application in a real container, and limits its requests. */
abstract class WebTest extends InboundTest {
    WebTest(WebApplicationType type, String more) {
        super(type, more);
    }

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
    @DisplayName("SB-3 write operations change a part; health shows an open breaker and stays UP")
    void endpoint_changesParts() {
        CircuitBreaker breaker = (CircuitBreaker)
                app.getBean(Registry.class).find("breaker", "inventory").orElseThrow();
        assertThat(change("breaker/inventory/forceOpen", "{}").statusCode()).isEqualTo(200);
        assertThat(breaker.state()).isEqualTo(State.FORCED_OPEN);
        HttpResponse<String> health = Apps.get(app, "/actuator/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"tidegate\"").contains("\"breaker\":\"FORCED_OPEN\"");
        assertThat(Apps.get(app, "/api/stock").statusCode()).isEqualTo(503);
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
                        .orTimeout(10, TimeUnit.MINUTES)
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

package io.tidegate.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Spring Boot shop, driven over HTTP. */
class SpringShopTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String WELL = "/behave/200/0";
    private static final String BROKEN = "/behave/500/0";
    private static final String STANDING_STILL = "/behave/200/" + LIMIT.toMillis();
    private static final int MAX_REQUESTS = 5; // as in application.yml

    @TempDir
    private static Path folder;

    private static Process process;
    private static String shop;
    private static String inventory;

    @BeforeAll
    static void start() throws IOException {
        Path output = folder.resolve("shop.out");
        // Time limits longer than any machine needs: a slow answer stays slow until the test changes it.
        process = Example.read("spring-shop")
                .start(
                        output,
                        "--server.port=0",
                        "--inventory.port=0",
                        "--tidegate.guards.inventory.time-limit=10m",
                        "--tidegate.guards.inventory.attempt-time-limit=10m");
        inventory = found(output, "The inventory is at (\\S+)");
        shop = "http://127.0.0.1:" + found(output, "Tomcat started on port (\\d+)");
    }

    private static String found(Path output, String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        return await().atMost(LIMIT)
                .failFast(
                        "ended",
                        () -> assertThat(process.isAlive())
                                .as(Files.readString(output))
                                .isTrue())
                .until(() -> wanted.matcher(Files.readString(output)), Matcher::find)
                .group(1);
    }

    @AfterAll
    static void stop() {
        if (process != null) {
            Example.stop(process);
        }
    }

    /**
     * Waits until nothing is left of the previous test: a request may still have its permit when its answer has come.
     */
    @BeforeEach
    void mendInventory() {
        get(inventory + WELL);
        await().atMost(LIMIT)
                .until(() -> stock().body().contains("\"source\":\"inventory\"")
                        && part("breaker/inventory").contains("\"state\":\"CLOSED\""));
        await().atMost(LIMIT).until(() -> part("bulkhead/inbound").contains(inFlight(0)));
    }

    @Test
    void stock_inventoryWell_isReportedAndSeenInActuatorAndMetrics() {
        assertThat(stock().body()).contains("\"article\":\"lamp\",\"pieces\":12");
        assertThat(get(shop + "/actuator/tidegate").body())
                .contains("\"kind\":\"guard\",\"name\":\"inventory\"")
                .contains("\"kind\":\"bulkhead\",\"name\":\"inbound\"");
        assertThat(get(shop + "/actuator/prometheus").body())
                .containsPattern("tidegate_guard_calls_total\\{name=\"inventory\"} [1-9]");
    }

    @Test
    void stock_inventoryBroken_breakerOpensAndShopShowsWhatItKnew() {
        get(inventory + BROKEN);

        await().atMost(LIMIT).until(() -> stock().body().contains("\"source\":\"CircuitOpenException\""));

        assertThat(stock().body()).contains("\"pieces\":12");
        HttpResponse<String> health = get(shop + "/actuator/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"tidegate\"");
    }

    @Test
    void stock_moreRequestsThanTheLimit_oneMoreIsAnswered503WithRetryAfter() {
        get(inventory + STANDING_STILL);
        List<CompletableFuture<HttpResponse<String>>> waiting = Stream.generate(
                        () -> getLater(shop + "/api/stock/lamp"))
                .limit(MAX_REQUESTS)
                .toList();
        await().atMost(LIMIT).until(() -> part("bulkhead/inbound").contains(inFlight(MAX_REQUESTS)));

        HttpResponse<String> refused = stock();
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        assertThat(refused.body()).contains("AB_ERR_FULL");

        get(inventory + WELL);
        assertThat(waiting)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
    }

    private static HttpResponse<String> stock() {
        return get(shop + "/api/stock/lamp");
    }

    private static String part(String kindAndName) {
        return get(shop + "/actuator/tidegate/" + kindAndName).body();
    }

    private static String inFlight(int requests) {
        return "{\"measure\":\"in.flight\",\"value\":" + requests + ".0}";
    }

    private static HttpResponse<String> get(String uri) {
        return getLater(uri).join();
    }

    /* Sends the request with a new client, because a reused connection may be one that the server is just closing. */
    private static CompletableFuture<HttpResponse<String>> getLater(String uri) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(uri)).timeout(LIMIT).build();
        return HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }
}

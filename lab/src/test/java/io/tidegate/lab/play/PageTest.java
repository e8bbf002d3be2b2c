package io.tidegate.lab.play;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.tidegate.lab.SceneTest;
import io.tidegate.lab.orders.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole page, started without a display and driven over HTTP. */
class PageTest extends SceneTest {
    private static final Pattern ADDRESS = Pattern.compile("(http://\\S+/)#token=([\\w-]+)&/panel");

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final CompletableFuture<String> opened = new CompletableFuture<>();
    private final AtomicReference<Throwable> ended = new AtomicReference<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private Thread page;
    private String url;
    private String token;

    @BeforeEach
    void start() throws InterruptedException {
        Browser browser = new Browser() {
            @Override
            public boolean hasDisplay() {
                return true;
            }

            @Override
            public boolean open(String address) {
                return opened.complete(address);
            }
        };
        PrintStream out = new PrintStream(said, true, UTF_8);
        page = Thread.ofPlatform().name("lab-page").start(() -> {
            try {
                new Page(Store.MEMORY, 0, Optional.empty(), browser, out).run();
            } catch (IOException | InterruptedException | RuntimeException end) {
                ended.set(end);
                opened.completeExceptionally(end);
            }
        });
        Matcher address = ADDRESS.matcher(opened.join());
        assertThat(address.matches()).isTrue();
        url = address.group(1);
        token = address.group(2);
    }

    @AfterEach
    void end() throws InterruptedException {
        client.shutdownNow();
        client.close();
        page.interrupt();
        page.join();
        assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void run_started_saysWhatToExpectAndWhere() {
        assertThat(said.toString(UTF_8).lines().findFirst().orElseThrow())
                .contains("A real service under real load", "Ctrl-C");
        assertThat(said.toString(UTF_8)).contains(url + "#token=" + token);
        assertThat(url).startsWith("http://127.0.0.1:");
    }

    @Test
    void run_portTakenOrStoreAway_saysWhichOptionIsWrong() {
        int taken = URI.create(url).getPort();
        Store away = Store.parse("redis://127.0.0.1:1", Path.of(""), Map.of());

        assertThat(refusal(Store.MEMORY, taken)).startsWith("--port: " + taken + " (expected: one that is free)");
        assertThat(refusal(away, 0)).startsWith("--store: redis://127.0.0.1:1 cannot be used");
    }

    private static String refusal(Store store, int port) {
        Page another = new Page(store, port, Optional.empty(), Browser.of("Linux", Map.of()), System.out);
        return assertThatIOException()
                .isThrownBy(() -> another.run(address -> {}))
                .actual()
                .getMessage();
    }

    @Test
    void panel_filesAndState_areServed() throws Exception {
        assertThat(get("").statusCode()).isEqualTo(200);
        assertThat(get("panel/panel.js").body()).contains("export function mount", "export function unmount");
        assertThat(get("panel/panel.css").statusCode()).isEqualTo(200);
        assertThat(get("api/parts").body()).contains("\"title\":\"Lab\"", "\"name\":\"worker-crash\"");
    }

    @Test
    void parts_underLoad_callsAreCounted() throws Exception {
        awaitParts("\"measure\":\"calls\",\"type\":\"count\",\"value\":[1-9]");
    }

    @Test
    void act_switchWithTheToken_theNewPartIsSeenAtWork() throws Exception {
        assertThat(parts()).doesNotContain("\"kind\":\"bulkhead\"");

        assertThat(post("switch", "{\"protection\":\"bulkhead\",\"on\":true}", token))
                .isEqualTo(200);

        awaitParts(
                "\"kind\":\"bulkhead\",\"name\":\"shop\".*\"measure\":\"admitted\",\"type\":\"count\",\"value\":[1-9]");
        awaitParts("\"name\":\"bulkhead\"[^}]*\"on\":true");
    }

    @Test
    void act_sliderWithTheToken_isSeenInTheState() throws Exception {
        assertThat(post("set", "{\"slider\":\"offered\",\"value\":77}", token)).isEqualTo(200);

        awaitParts("\"name\":\"offered\"[^}]*\"value\":77");
    }

    @Test
    void act_withoutTheTokenOrBadly_changesNothing() throws Exception {
        assertThat(post("switch", "{\"protection\":\"bulkhead\",\"on\":true}", "x".repeat(32)))
                .isEqualTo(401);
        assertThat(post("set", "{\"slider\":\"offered\",\"value\":7000}", token))
                .isEqualTo(400);

        assertThat(parts())
                .doesNotContain("\"kind\":\"bulkhead\"")
                .containsPattern("\"name\":\"offered\"[^}]*\"value\":20");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString());
    }

    private String parts() throws IOException, InterruptedException {
        return get("api/parts").body();
    }

    private int post(String action, String body, String bearer) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "api/panel/" + action))
                .header("Authorization", "Bearer " + bearer)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString()).statusCode();
    }

    private void awaitParts(String pattern) throws IOException, InterruptedException {
        Pattern wanted = Pattern.compile(pattern, Pattern.DOTALL);
        while (!wanted.matcher(parts()).find()) {
            Thread.onSpinWait();
        }
    }
}

package io.tidegate.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests come in, and which may change something. Each attack comes as bytes on a socket. */
final class AccessCheckTest {
    private static final String FORCE_OPEN = "/api/parts/breaker/prices/force-open";

    private final Registry registry = new Registry();
    private final CircuitBreaker breaker = registry.add(CircuitBreaker.of("prices"));
    private final AsyncBulkhead bulkhead =
            registry.add(AsyncBulkhead.builder(8).name("prices").build());
    private final AtomicLong ticker = new AtomicLong();
    private Console console;

    @BeforeEach
    void start() {
        ConsoleBuilder builder = new ConsoleBuilder(registry);
        builder.ticker = ticker::get;
        console = builder.port(0)
                .controlToken(RawHttp.TOKEN)
                .hosts("ops.example.org", "proxy.example.org:8443")
                .start();
    }

    @AfterEach
    void close() {
        console.close();
    }

    private void assertNothingChanged() {
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(bulkhead.maxInFlight()).isEqualTo(8);
    }

    // CN-1

    @Test
    @DisplayName("CN-1 listens on the loopback address unless set otherwise")
    void start_noAddress_loopback() throws IOException {
        assertThat(InetAddress.getByName(URI.create(console.url()).getHost()).isLoopbackAddress())
                .isTrue();
        assertThat(console.url()).startsWith("http://").endsWith("/");
    }

    @Test
    @DisplayName("CN-2 the address that was connected to is always right, one of IPv6, too, however it is written")
    void request_eachLoopbackAddress_served() throws IOException {
        for (InetAddress address : Collections.list(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                .getInetAddresses())) {
            try (Console bound =
                    Console.builder(registry).port(0).address(address).start()) {
                List<String> right =
                        new ArrayList<>(List.of(URI.create(bound.url()).getAuthority(), "localhost"));
                if (address instanceof Inet6Address) {
                    assertThat(bound.url()).startsWith("http://[::1]:");
                    right.addAll(List.of("[::1]", "[::1]:80", "[0:0:0:0:0:0:0:1]:7878"));
                }
                for (String host : right) {
                    assertThat(RawHttp.get(bound, "/api/parts", "Host: " + host).status())
                            .as(host)
                            .isEqualTo(200);
                }
                for (String host :
                        List.of("[::2]", "[::1%lo]", "[::1].evil.example", "::1", "127.0.0.1.evil.example")) {
                    assertThat(RawHttp.get(bound, "/api/parts", "Host: " + host).status())
                            .as(host)
                            .isEqualTo(403);
                }
            }
        }
    }

    @Test
    @DisplayName("CN-1 without a token in the builder no action exists, whatever the request has")
    void post_noTokenInBuilder_notFound() throws IOException {
        try (Console viewing = Console.builder(registry).port(0).start()) {
            assertThat(RawHttp.act(viewing, FORCE_OPEN, "").status()).isEqualTo(404);
            assertThat(RawHttp.send(viewing, "POST", FORCE_OPEN, "{}").status()).isEqualTo(404);
            assertThat(RawHttp.send(viewing, "POST", FORCE_OPEN, "{}", "Authorization: Bearer ")
                            .status())
                    .isEqualTo(404);
            assertThat(RawHttp.parts(viewing)).containsEntry("control", false);
        }
        assertNothingChanged();
    }

    // CN-2: token

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: none",
                "Authorization: Bearer",
                "Authorization: Bearer ",
                "Authorization: Bearer a-token-of-24-character",
                "Authorization: Bearer a-token-of-24-characters!",
                "Authorization: Bearer A-TOKEN-OF-24-CHARACTERS",
                "Authorization: Basic a-token-of-24-characters",
                "Authorization: a-token-of-24-characters",
                "Cookie: token=a-token-of-24-characters"
            })
    @DisplayName("CN-2 wrong or no token: 401 and nothing done")
    void post_wrongToken_unauthorized(String header) throws IOException {
        RawHttp.Answer answer = RawHttp.send(console, "POST", FORCE_OPEN, "{}", header);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(answer.body()).doesNotContain(RawHttp.TOKEN);
        assertNothingChanged();
    }

    @Test
    @DisplayName("CN-2 the token in the address does not count")
    void post_tokenInAddress_unauthorized() throws IOException {
        String path = FORCE_OPEN + "?token=" + RawHttp.TOKEN + "&access_token=" + RawHttp.TOKEN;
        assertThat(RawHttp.send(console, "POST", path, "{}").status()).isEqualTo(401);
        assertNothingChanged();
    }

    @Test
    @DisplayName("CN-2 the token: the action is done, and makes an event with time, action, part, before and after")
    void post_rightToken_done() throws IOException {
        RawHttp.Answer answer = RawHttp.act(console, FORCE_OPEN, "{}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(breaker.state()).isEqualTo(State.FORCED_OPEN);
        assertThat(TestViewer.list(RawHttp.parts(console), "events"))
                .anySatisfy(event -> assertThat(TestViewer.map(event))
                        .containsEntry("type", "action")
                        .containsEntry("action", "force-open")
                        .containsEntry("kind", "breaker")
                        .containsEntry("name", "prices")
                        .containsEntry("before", "CLOSED")
                        .containsEntry("after", "FORCED_OPEN")
                        .containsKey("time"));
    }

    @Test
    @DisplayName("CN-2 a flood of guesses: 429 with Retry-After, and a request with the token still comes in")
    void post_manyGuesses_tooMany() throws IOException {
        int refused = 0;
        for (int i = 0; i < 15; i++) {
            RawHttp.Answer answer = RawHttp.send(console, "POST", FORCE_OPEN, "{}", "Authorization: Bearer guess" + i);
            assertThat(answer.status()).isIn(401, 429);
            if (answer.status() == 429) {
                refused++;
                assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
            }
        }
        assertThat(refused).isEqualTo(5);
        assertNothingChanged();
        assertThat(RawHttp.act(console, FORCE_OPEN, "{}").status()).isEqualTo(200);
    }

    @Test
    @DisplayName("CN-2 a flood of actions: 429 with Retry-After until time has passed")
    void post_manyActions_tooMany() throws IOException {
        String path = "/api/parts/bulkhead/prices/set-limit";
        for (int i = 1; i <= 50; i++) {
            assertThat(RawHttp.act(console, path, "{\"limit\":" + i + "}").status())
                    .isEqualTo(200);
        }
        RawHttp.Answer answer = RawHttp.act(console, path, "{\"limit\":99}");
        assertThat(answer.status()).isEqualTo(429);
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
        assertThat(bulkhead.maxInFlight()).isEqualTo(50);

        ticker.addAndGet(50_000_000);
        assertThat(RawHttp.act(console, path, "{\"limit\":51}").status()).isEqualTo(200);
        assertThat(RawHttp.act(console, path, "{\"limit\":52}").status()).isEqualTo(429);
    }

    // CN-2: Host and Origin

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example",
                "Host: evil.example:7878",
                "Host: localhost.evil.example",
                "Host: 127.0.0.1.evil.example",
                "Host: 127.evil.example",
                "Host: ops.example.org.evil.example",
                "Host: ops.example.org:9999",
                "Host: proxy.example.org",
                "Host: 10.1.2.3",
                "Host: [::2]",
                "Host: localhost@evil.example",
                "Host: ",
                "Host: localhost\r\nHost: evil.example",
                "Hostile: none"
            })
    @DisplayName("CN-2 a foreign Host, as after DNS rebinding: 403 for viewing and control")
    void request_foreignHost_forbidden(String header) throws IOException {
        assertThat(RawHttp.get(console, "/api/parts", header).status()).isIn(400, 403);
        assertThat(RawHttp.get(console, "/chart.js", header).status()).isIn(400, 403);
        assertThat(RawHttp.get(console, "/api/stream", header).status()).isIn(400, 403);
        assertThat(RawHttp.act(console, FORCE_OPEN, "{}", header).status()).isIn(400, 403);
        assertNothingChanged();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:80",
                "127.0.0.1",
                "127.9.9.9:1",
                "[::1]:7878",
                "ops.example.org",
                "Ops.Example.Org:443",
                "proxy.example.org:8443"
            })
    @DisplayName("CN-2 a Host that is loopback or one of the hosts is served")
    void request_ownHost_served(String host) throws IOException {
        assertThat(RawHttp.get(console, "/api/parts", "Host: " + host).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "http://evil.example",
                "https://localhost.evil.example",
                "http://localhost:1",
                "http://127.0.0.1:1",
                "http://ops.example.org:9999",
                "file://",
                "chrome-extension://abcdef",
                "http://",
                ""
            })
    @DisplayName("CN-2 a foreign Origin: 403 for viewing and control")
    void request_foreignOrigin_forbidden(String origin) throws IOException {
        RawHttp.Answer answer = RawHttp.act(console, FORCE_OPEN, "{}", "Origin: " + origin);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.headers()).doesNotContainKey("access-control-allow-origin");
        assertThat(RawHttp.get(console, "/api/parts", "Origin: " + origin).status())
                .isEqualTo(403);
        assertNothingChanged();
    }

    @Test
    @DisplayName("CN-2 the page's own Origin is served, behind a proxy by its name")
    void request_ownOrigin_served() throws IOException {
        String own = "Origin: http://" + RawHttp.host(console);
        assertThat(RawHttp.act(console, FORCE_OPEN, "{}", own).status()).isEqualTo(200);
        for (String proxy : new String[] {"https://ops.example.org", "https://proxy.example.org:8443"}) {
            assertThat(RawHttp.act(console, FORCE_OPEN, "{}", "Origin: " + proxy)
                            .status())
                    .isEqualTo(200);
            String host = "Host: " + URI.create(proxy).getAuthority();
            assertThat(RawHttp.act(console, FORCE_OPEN, "{}", "Origin: " + proxy, host)
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site", "Cross-Site"})
    @DisplayName("CN-2 a stolen page: what a browser says comes from another site is refused")
    void request_crossSite_forbidden(String site) throws IOException {
        String header = "Sec-Fetch-Site: " + site;
        assertThat(RawHttp.act(console, FORCE_OPEN, "{}", header).status()).isEqualTo(403);
        assertThat(RawHttp.get(console, "/api/stream", header, "Sec-Fetch-Mode: no-cors")
                        .status())
                .isEqualTo(403);
        assertThat(RawHttp.get(console, "/api/parts", header, "Sec-Fetch-Mode: navigate")
                        .status())
                .isEqualTo(403);
        assertThat(RawHttp.get(console, "/chart.js", header, "Sec-Fetch-Mode: navigate")
                        .status())
                .isEqualTo(200);
        assertNothingChanged();
    }

    @Test
    @DisplayName("CN-2 a preflight is not answered with leave")
    void options_foreignOrigin_noLeave() throws IOException {
        RawHttp.Answer answer = RawHttp.send(
                console,
                "OPTIONS",
                FORCE_OPEN,
                null,
                "Origin: http://evil.example",
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: authorization");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    // Settings

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536, Integer.MIN_VALUE})
    @DisplayName("CN-1 a port that cannot be is refused when it is given")
    void port_impossible_refused(int port) {
        assertThatThrownBy(() -> Console.builder(registry).port(port))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("port: " + port + " (expected: 0 to 65535)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "naïve", "line\nbreak"})
    @DisplayName("CN-1 a token that no header can carry is refused when it is given, and not shown")
    void controlToken_impossible_refused(String token) {
        assertThatThrownBy(() -> Console.builder(registry).controlToken(token))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("token: of " + token.length() + " characters (expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ops", "/ops?x", "/../ops", "/o ps", "//ops", "/ops#"})
    @DisplayName("CN-1 a path that cannot be is refused when it is given")
    void path_impossible_refused(String path) {
        assertThatThrownBy(() -> Console.builder(registry).path(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("path: " + path + " (expected: such as /ops or /ops/tidegate)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "http://ops", "ops/x", "ops:", "ops:99999", "a b"})
    @DisplayName("CN-1 a host that cannot be is refused when it is given")
    void hosts_impossible_refused(String host) {
        assertThatThrownBy(() -> Console.builder(registry).hosts("ok", host))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("hosts: " + host + " (expected: ");
    }

    @Test
    @DisplayName("CN-1 a port that is taken is named in the message")
    void start_portTaken_refused() {
        int port = URI.create(console.url()).getPort();
        assertThatThrownBy(() -> Console.builder(registry).port(port).start())
                .isInstanceOf(java.io.UncheckedIOException.class)
                .hasMessageContaining("port: " + port);
    }
}

package io.tidegate.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.panel.Panel;
import io.tidegate.lease.WorkLease;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers to requests, good, bad and slow. */
final class RequestTest {
    private static final String SET_LIMIT = "/api/parts/bulkhead/prices/set-limit";

    /** Seven times as many as there are threads for requests, unless set otherwise. */
    private static final int HALF_SENT = Integer.getInteger("tidegate.halfSent", 500);

    private final Registry registry = new Registry();
    private final AsyncBulkhead bulkhead =
            registry.add(AsyncBulkhead.builder(8).name("prices").build());
    private Console console;

    @BeforeEach
    void start() {
        ConsoleBuilder builder = new ConsoleBuilder(registry);
        builder.ticker = () -> 0;
        builder.patience = Duration.ofHours(1);
        console = builder.port(0)
                .controlToken(RawHttp.TOKEN)
                .panel(new SomePanel())
                .start();
    }

    @AfterEach
    void close() {
        console.close();
    }

    // CN-2: bodies

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"limit\":0}|limit: 0 (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":-5}|limit: -5 (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":2147483648}|limit: 2147483648 (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":99999999999999999999}|limit: 1.0E20 (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":1.5}|limit: 1.5 (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":1e3}|limit: 1000.0 (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":\"9\"}|limit: 9 (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":null}|limit: null (expected: a value, or nothing of that name)",
                "{}|limit: not given (expected: a whole number from 1 to 2147483647)",
                "{\"limit\":9,\"limt\":9}|limt: 9 (expected: only [limit])",
                "[9]|body: something else (expected: a JSON object, and nothing behind it)",
                "9|body: something else (expected: a JSON object, and nothing behind it)",
                "{\"limit\":9}{}|body: something else (expected: a JSON object, and nothing behind it)",
                "{\"limit\":9|body: broken (expected: a JSON object of moderate depth)",
                "{limit:9}|body: broken (expected: a JSON object of moderate depth)",
                "{\"limit\":NaN}|body: broken (expected: a JSON object of moderate depth)",
                "{\"limit\":9,\"limit\":10}|body: broken (expected: a JSON object of moderate depth)",
                "limit=9|body: broken (expected: a JSON object of moderate depth)",
            })
    @DisplayName("CN-2 a bad body: 400 that says what was expected, and nothing done")
    void post_badBody_badRequest(String body, String error) throws IOException {
        RawHttp.Answer answer = RawHttp.act(console, SET_LIMIT, body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(bulkhead.maxInFlight()).isEqualTo(8);
    }

    @Test
    @DisplayName("CN-2 a body that is nested deeply, or has a number of a thousand digits: 400")
    void post_bodyForParsers_badRequest() throws IOException {
        for (String body : List.of(
                "{\"limit\":" + "[".repeat(30_000) + "}",
                "{\"limit\":" + "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_001),
                "{\"limit\":" + "9".repeat(1_000) + "}")) {
            assertThat(RawHttp.act(console, SET_LIMIT, body).status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n{}\r\n0\r\n\r\n", "-5\r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n", "99999999999\r\n{}"})
    @DisplayName("CN-2 a body in chunks that are none: 400 that says so, and nothing done")
    void post_brokenChunks_badRequest(String chunks) throws IOException {
        String head = "POST " + SET_LIMIT + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + RawHttp.TOKEN
                + "\r\nTransfer-Encoding: chunked\r\n\r\n";
        RawHttp.Answer answer = RawHttp.raw(console, (head + chunks).getBytes(UTF_8));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).startsWith("body: broken (expected: ");
        assertThat(bulkhead.maxInFlight()).isEqualTo(8);
    }

    @Test
    @DisplayName("CN-2 a body that is too long: 413, whether it says so or not")
    void post_hugeBody_tooLarge() throws IOException {
        String body = "{\"limit\":9," + " ".repeat(ConsoleServer.LONGEST_BODY) + "}";
        assertThat(RawHttp.act(console, SET_LIMIT, body).status()).isEqualTo(413);
        String chunked = "POST " + SET_LIMIT + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + RawHttp.TOKEN
                + "\r\nTransfer-Encoding: chunked\r\n\r\n"
                + (Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
        assertThat(RawHttp.raw(console, chunked.getBytes(ISO_8859_1)).status()).isEqualTo(413);
        assertThat(bulkhead.maxInFlight()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"})
    @DisplayName("CN-2 what a form can send is refused: 415")
    void post_otherContentType_unsupported(String type) throws IOException {
        RawHttp.Answer answer = RawHttp.act(console, SET_LIMIT, "{\"limit\":9}", "Content-Type: " + type);
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.error()).isEqualTo("Content-Type: " + type + " (expected: application/json)");
        assertThat(bulkhead.maxInFlight()).isEqualTo(8);
    }

    @Test
    @DisplayName("CN-2 an unknown part: 404; an unknown action: 400 with those there are")
    void post_unknown_reported() throws IOException {
        assertThat(RawHttp.act(console, "/api/parts/bulkhead/prizes/set-limit", "{\"limit\":9}")
                        .status())
                .isEqualTo(404);
        assertThat(RawHttp.act(console, "/api/parts/nothing/prices/set-limit", "{\"limit\":9}")
                        .status())
                .isEqualTo(404);
        RawHttp.Answer answer = RawHttp.act(console, "/api/parts/bulkhead/prices/force-open", "{}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo("action: force-open (expected: one of [set-limit])");
        assertThat(RawHttp.act(console, "/api/parts/bulkhead/prices", "{}").status())
                .isEqualTo(404);
    }

    // CN-3

    @Test
    @DisplayName("CN-3 a strict content security policy, and no guessing of types, on every answer")
    void answer_any_hasHeaders() throws IOException {
        for (RawHttp.Answer answer : List.of(
                RawHttp.get(console, "/api/parts"),
                RawHttp.get(console, "/chart.js"),
                RawHttp.get(console, "/nothing"),
                RawHttp.get(console, "/api/parts", "Host: evil.example"),
                RawHttp.send(console, "POST", SET_LIMIT, "{}"),
                RawHttp.send(console, "DELETE", "/", null))) {
            assertThat(answer.header("Content-Security-Policy"))
                    .isEqualTo("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        }
        assertThat(RawHttp.get(console, "/api/parts").header("Cache-Control")).isEqualTo("no-store");
        assertThat(RawHttp.get(console, "/api/parts").header("Content-Type")).isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a/b c?d#e%f", "café 💡", ".."})
    @DisplayName("CN-3 a name of any kind is a text in JSON, and its part can be reached by it")
    void part_anyName_text(String name) throws IOException {
        AsyncBulkhead odd = registry.add(AsyncBulkhead.builder(3).name(name).build(), "<b>", "</b><script>");
        List<Object> parts = TestViewer.list(RawHttp.parts(console), "parts");
        assertThat(parts)
                .anySatisfy(part -> assertThat(TestViewer.map(part))
                        .containsEntry("name", name)
                        .containsEntry("tags", Map.of("<b>", "</b><script>")));
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(UTF_8)) {
            encoded.append('%').append(String.format("%02X", b));
        }
        RawHttp.Answer answer = RawHttp.act(console, "/api/parts/bulkhead/" + encoded + "/set-limit", "{\"limit\":4}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(odd.maxInFlight()).isEqualTo(4);
        assertThat(RawHttp.act(console, "/api/parts/bulkhead/" + encoded + "/" + encoded, "{}")
                        .header("Content-Type"))
                .isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "-", "GET /orders", "a//b", "50 % off;now", "?name=x&y"})
    @DisplayName("CN-2 a name that browsers or proxies would change in a path is found by the query")
    void part_nameInQuery_found(String name) throws IOException {
        String query = URLEncoder.encode(name, UTF_8);
        registry.add(AsyncBulkhead.builder(3).name(name).build());
        assertThat(RawHttp.act(console, "/api/parts/bulkhead/-/set-limit?name=" + query, "{\"limit\":4}")
                        .json())
                .containsEntry("name", name)
                .containsEntry("after", "4");
        WorkLease lease = registry.add(WorkLease.builder(0).name(name).build());
        lease.tryAcquire(name, 7);
        assertThat(RawHttp.get(console, "/api/parts/lease/-/domains?name=" + query)
                        .json())
                .containsKey("domains");
        assertThat(RawHttp.get(console, "/api/parts/lease/-/domains/-?name=" + query + "&domain=" + query)
                        .json())
                .containsEntry("domain", name)
                .containsEntry("offset", "7");
    }

    // CN-1: files

    @Test
    @DisplayName("CN-1 the chart library comes from the console itself")
    void get_chart_fromJar() throws IOException {
        RawHttp.Answer answer = RawHttp.get(console, "/chart.js");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(answer.body()).contains("Chart.js v4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../Console.class",
                "/..%2fConsole.class",
                "/%2e%2e/Console.class",
                "/panel/../../Console.class",
                "/panel/..%2f..%2fConsole.class",
                "/META-INF/MANIFEST.MF",
                "/Console.class",
                "//etc/passwd",
                "/etc/passwd",
                "/index.html/",
                "/index.html%00.js",
                "/.js",
                "/a..js",
                "/io/tidegate/console/page/index.html",
                "/page/index.html",
                "/api",
                "/api/",
                "/api/parts/",
                "/api/streams"
            })
    @DisplayName("CN-1 nothing is served but the page's own files")
    void get_otherFile_notFound(String path) throws IOException {
        assertThat(RawHttp.get(console, path).status()).isIn(400, 404);
    }

    @Test
    @DisplayName("CN-1 a path with doubled slashes is understood, and one behind a whole address")
    void get_doubledSlashes_understood() throws IOException {
        for (String path : List.of("//api/parts", "//api//parts", "/api///parts?x=y", "http://elsewhere/api/parts")) {
            assertThat(RawHttp.get(console, path).status()).as(path).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("CN-1 all paths begin with the given one, and its bare form leads there")
    void path_given_prefixesAll() throws IOException {
        try (Console inside =
                Console.builder(registry).port(0).path("/ops/tidegate/").start()) {
            assertThat(URI.create(inside.url()).getPath()).isEqualTo("/ops/tidegate/");
            assertThat(RawHttp.get(inside, "/ops/tidegate/api/parts").status()).isEqualTo(200);
            assertThat(RawHttp.get(inside, "/ops/tidegate/chart.js").status()).isEqualTo(200);
            assertThat(RawHttp.get(inside, "/api/parts").status()).isEqualTo(404);
            assertThat(RawHttp.get(inside, "/ops/tidegateapi/parts").status()).isEqualTo(404);
            RawHttp.Answer bare = RawHttp.get(inside, "/ops/tidegate");
            assertThat(bare.status()).isEqualTo(308);
            assertThat(bare.header("Location")).isEqualTo("/ops/tidegate/");
        }
    }

    @Test
    @DisplayName("CN-1 HEAD is GET without a body; other methods are refused with those there are")
    void method_others_refused() throws IOException {
        for (String path : List.of("/chart.js", "/api/parts", "/api/stream")) {
            RawHttp.Answer head = RawHttp.send(console, "HEAD", path, null);
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }
        for (String method : List.of("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT")) {
            assertThat(RawHttp.send(console, method, "/", null).status())
                    .as(method)
                    .isIn(400, 405);
        }
        assertThat(RawHttp.send(console, "PUT", "/api/parts", null).header("Allow"))
                .isEqualTo("GET, HEAD, POST");
        assertThat(RawHttp.act(console, "/chart.js", "{}").status()).isEqualTo(405);
    }

    // Panel

    @Test
    @DisplayName("CN-2 a panel's files are shown, and its actions need the token")
    void panel_actions_needToken() throws IOException {
        assertThat(RawHttp.get(console, "/panel/panel.js").body()).isEqualTo("export {}");
        assertThat(RawHttp.get(console, "/panel/other.js").status()).isEqualTo(404);
        assertThat(TestViewer.map(RawHttp.parts(console).get("panel")))
                .isEqualTo(Map.of("title", "Some", "state", Map.of("load", 3L)));
        assertThat(RawHttp.send(console, "POST", "/api/panel/set", "{\"load\":4}")
                        .status())
                .isEqualTo(401);
        assertThat(RawHttp.act(console, "/api/panel/set", "{\"load\":4}").json())
                .isEqualTo(Map.of("load", 4L));
        RawHttp.Answer bad = RawHttp.act(console, "/api/panel/other", "{}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.error()).isEqualTo("action: other (expected: set)");
    }

    @Test
    @DisplayName("CN-2 an action of a panel is an event")
    void panel_action_event() throws IOException {
        RawHttp.act(console, "/api/panel/set", "{\"load\":4}");
        assertThat(TestViewer.list(RawHttp.parts(console), "events"))
                .singleElement()
                .satisfies(event -> assertThat(TestViewer.map(event))
                        .containsEntry("type", "action")
                        .containsEntry("name", "Some")
                        .containsEntry("code", "set")
                        .containsEntry("text", "{load=4}"));
    }

    @Test
    @DisplayName("CN-2 an action that throws even an error is answered with 500, and makes no event")
    void panel_actionThrowsError_failed() throws IOException {
        RawHttp.Answer answer = RawHttp.act(console, "/api/panel/break", "{}");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.error()).contains("broken");
        assertThat(TestViewer.list(RawHttp.parts(console), "events")).isEmpty();
    }

    @Test
    @DisplayName("CN-3 a name of four thousand letters is sent whole, so that its part can be reached")
    void part_longName_whole() throws IOException {
        String name = "n".repeat(4_000);
        registry.add(AsyncBulkhead.builder(3).name(name).build());
        assertThat(TestViewer.list(RawHttp.parts(console), "parts"))
                .anySatisfy(part -> assertThat(TestViewer.map(part)).containsEntry("name", name));
        assertThat(RawHttp.act(console, "/api/parts/bulkhead/" + name + "/set-limit", "{\"limit\":4}")
                        .status())
                .isEqualTo(200);
    }

    private static final class SomePanel implements Panel {
        @Override
        public String title() {
            return "Some";
        }

        @Override
        public InputStream file(String name) {
            return name.equals("panel.js") ? new ByteArrayInputStream("export {}".getBytes(UTF_8)) : null;
        }

        @Override
        public Map<String, ?> state() {
            return Map.of("load", 3);
        }

        @Override
        public Map<String, ?> act(String action, Map<String, ?> body) {
            if (action.equals("break")) {
                throw new AssertionError("broken");
            }
            if (!action.equals("set")) {
                throw new IllegalArgumentException("action: " + action + " (expected: set)");
            }
            return body;
        }
    }

    // Slow and broken senders

    @Test
    @DisplayName("CN-2 hundreds of clients that send half a request keep neither viewers nor control out")
    void get_manySlowSenders_served() throws IOException {
        assertServedBeside("GET /api/parts HTTP/1.1\r\nHost: local");
    }

    @Test
    @DisplayName("CN-2 hundreds of clients that announce a body and send none keep neither viewers nor control out")
    void get_manyBodiesMissing_served() throws IOException {
        assertServedBeside("POST " + SET_LIMIT + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    }

    private void assertServedBeside(String request) throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < HALF_SENT; i++) {
                Socket socket = RawHttp.connect(console);
                slow.add(socket);
                try {
                    socket.getOutputStream().write(request.getBytes(UTF_8));
                } catch (IOException cutOffAlready) {
                    // The connection is not one of those that are served.
                }
            }
            assertThat(RawHttp.get(console, "/api/parts").status()).isEqualTo(200);
            assertThat(RawHttp.act(console, SET_LIMIT, "{\"limit\":9}").status())
                    .isEqualTo(200);
            try (TestViewer viewer = TestViewer.of(console)) {
                assertThat(viewer.next().next().next().changes).isEqualTo(2);
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
        assertThat(bulkhead.maxInFlight()).isEqualTo(9);
    }

    @Test
    @DisplayName("CN-2 a sender that stops in the middle of a body is cut off after a while")
    void post_stopsInBody_cutOff() throws IOException {
        ConsoleBuilder builder = new ConsoleBuilder(registry);
        builder.patience = Duration.ofMillis(50);
        try (Console impatient = builder.port(0).controlToken(RawHttp.TOKEN).start();
                Socket socket = RawHttp.connect(impatient)) {
            String request = "POST " + SET_LIMIT + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + RawHttp.TOKEN + "\r\nContent-Length: 11\r\n\r\n{\"limit\"";
            socket.getOutputStream().write(request.getBytes(UTF_8));
            assertThat(endOf(socket.getInputStream())).isTrue();
        }
        assertThat(bulkhead.maxInFlight()).isEqualTo(8);
    }

    /** Whether the other side ends the connection, with or without a last message. */
    private static boolean endOf(InputStream from) {
        try {
            from.readAllBytes();
            return true;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n\r\n",
                "GET\r\n\r\n",
                "GET / \r\n\r\n",
                "GET /\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /api/parts/a/b/%ff%fe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "POST /api/parts/a/b/c HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "POST /api/parts/a/b/c HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                "POST /api/parts/a/b/c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\nzz\r\n"
            })
    @DisplayName("CN-2 what is no HTTP is refused, and others are served")
    void request_broken_othersServed(String request) throws IOException {
        try (Socket socket = RawHttp.connect(console)) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            socket.shutdownOutput();
            assertThat(endOf(socket.getInputStream())).isTrue();
        }
        assertThat(RawHttp.get(console, "/api/parts").status()).isEqualTo(200);
    }

    @Test
    @DisplayName("CN-2 a request line without an end is cut off, and others are served")
    void request_endlessLine_cutOff() throws IOException {
        byte[] letters = "a".repeat(65_536).getBytes(UTF_8);
        try (Socket socket = RawHttp.connect(console)) {
            socket.getOutputStream().write("GET /".getBytes(UTF_8));
            boolean cut = false;
            for (int i = 0; i < 1_000 && !cut; i++) {
                try {
                    socket.getOutputStream().write(letters);
                } catch (IOException refused) {
                    cut = true;
                }
            }
            assertThat(cut).isTrue();
        }
        assertThat(RawHttp.get(console, "/api/parts").status()).isEqualTo(200);
    }
}

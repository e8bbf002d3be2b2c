package io.tidegate.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A console behind a proxy that names another host and adds a prefix, as proxies do by default. */
final class ProxyTest {
    private final Registry registry = new Registry();
    private final AsyncBulkhead bulkhead =
            registry.add(AsyncBulkhead.builder(8).name("prices").build());

    /** The console as its viewers see it. */
    private record Seen(String url) implements Console {
        @Override
        public void close() {}
    }

    @Test
    @DisplayName(
            "CN-2 behind a proxy with a prefix viewers see frames as they come, and act from the proxy's own page only")
    void proxy_prefixAndOtherHost_viewAndControl() throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool();
        ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        String name = "localhost:" + proxy.getLocalPort();
        Seen seen = new Seen("http://" + name + "/");
        try (proxy;
                Console console = Console.builder(registry)
                        .port(0)
                        .path("/ops")
                        .hosts(name)
                        .controlToken(RawHttp.TOKEN)
                        .start()) {
            threads.execute(() -> serve(proxy, console, threads));
            assertThat(RawHttp.get(seen, "/chart.js").status()).isEqualTo(200);
            try (TestViewer viewer = TestViewer.of(seen).next()) {
                for (String foreign : List.of("http://evil.example", "http://localhost:1", "null")) {
                    assertThat(act(seen, 1, "Origin: " + foreign).status())
                            .as(foreign)
                            .isEqualTo(403);
                }
                assertThat(bulkhead.maxInFlight()).isEqualTo(8);
                assertThat(act(seen, 9, "Origin: http://" + name).status()).isEqualTo(200);
                while (viewer.events.stream().noneMatch(event -> "set-limit".equals(event.get("action")))) {
                    viewer.next();
                }
                assertThat(bulkhead.maxInFlight()).isEqualTo(9);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static RawHttp.Answer act(Console seen, int limit, String origin) throws IOException {
        return RawHttp.act(seen, "/api/parts/bulkhead/prices/set-limit", "{\"limit\":" + limit + "}", origin);
    }

    /** Takes connections until it is closed. */
    private void serve(ServerSocket proxy, Console console, ExecutorService threads) {
        try {
            while (true) {
                Socket viewer = proxy.accept();
                threads.execute(() -> pass(viewer, console, threads));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    /** Passes one request on, with another path and host, and its answer as it comes. */
    private static void pass(Socket viewer, Console console, ExecutorService threads) {
        try (viewer;
                Socket to = RawHttp.connect(console)) {
            StringBuilder head = new StringBuilder();
            for (String line = RawHttp.line(viewer.getInputStream());
                    !line.isEmpty();
                    line = RawHttp.line(viewer.getInputStream())) {
                head.append(
                                line.startsWith("Host: ")
                                        ? "Host: " + RawHttp.host(console)
                                        : line.replaceFirst(" /", " /ops/"))
                        .append("\r\n");
            }
            to.getOutputStream().write(head.append("\r\n").toString().getBytes(UTF_8));
            threads.execute(() -> copy(viewer, to));
            to.getInputStream().transferTo(viewer.getOutputStream());
        } catch (IOException gone) {
            // either side may hang up
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException gone) {
            // either side may hang up
        }
    }
}

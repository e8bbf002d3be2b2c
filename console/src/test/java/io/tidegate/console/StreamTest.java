package io.tidegate.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.panel.Panel;
import io.tidegate.guard.Guard;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Viewers of a real console, on real sockets. */
final class StreamTest {
    private final Registry registry = new Registry();

    private Console start() {
        return Console.builder(registry).port(0).controlToken(RawHttp.TOKEN).start();
    }

    @Test
    @DisplayName("CN-4 under load, and after it, what a viewer sees and what is asked for equal what the parts say")
    void stream_underLoad_equalsParts() throws Exception {
        List<Guard> guards = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Guard guard = registry.add(Guard.builder("guard" + i)
                    .timeLimit(Duration.ofHours(1))
                    .breaker(CircuitBreaker.of("breaker" + i))
                    .bulkhead(AsyncBulkhead.builder(9).name("bulkhead" + i).build())
                    .build());
            guard.parts().forEach(registry::add);
            guards.add(guard);
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread load = new Thread(() -> {
            for (int i = 0; !over.get(); i++) {
                int fails = i;
                guards.get(i % guards.size()).attempt(() -> {
                    if (fails % 100 == 0) {
                        throw new IllegalStateException("now and then");
                    }
                    return 1;
                });
            }
        });
        try (Console console = start();
                TestViewer viewer = TestViewer.of(console)) {
            load.start();
            viewer.next();
            while (viewer.changes < 3) {
                viewer.next();
            }
            over.set(true);
            load.join();
            LiveParts truth =
                    new LiveParts(registry, null, true, new EventLog(), Duration.ofHours(1), System::currentTimeMillis);
            truth.read();
            TestViewer expected = new TestViewer();
            expected.take("parts", truth.everything());
            assertThat(TestViewer.list(RawHttp.parts(console), "parts")).isEqualTo(expected.shown());
            int last = viewer.changes + 2; // the next frame may have been read before the load was over
            while (viewer.changes < last) {
                viewer.next();
            }
            assertThat(viewer.shown()).isEqualTo(TestViewer.list(RawHttp.parts(console), "parts"));
        } finally {
            over.set(true);
        }
    }

    @Test
    @DisplayName("CN-4 a part that is added appears, one that is removed disappears, and both make an event")
    void stream_partsComeAndGo_seen() throws IOException {
        AsyncBulkhead stays =
                registry.add(AsyncBulkhead.builder(1).name("stays").build());
        AsyncBulkhead goes = registry.add(AsyncBulkhead.builder(1).name("goes").build());
        try (Console console = start();
                TestViewer viewer = TestViewer.of(console)) {
            viewer.next();
            assertThat(viewer.parts).hasSize(2);
            registry.remove(goes);
            registry.add(AsyncBulkhead.builder(1).name("comes").build());
            while (viewer.events.size() < 2) {
                viewer.next();
            }
            assertThat(viewer.parts.values())
                    .extracting(part -> part.get("name"))
                    .containsExactlyInAnyOrder("stays", "comes");
            assertThat(viewer.events)
                    .extracting(event -> event.get("name") + " " + event.get("text"))
                    .containsExactlyInAnyOrder("goes removed", "comes added");
            assertThat(registry.remove(stays)).isTrue();
        }
    }

    @Test
    @DisplayName("CN-2 an action is an event in the stream of each viewer, once")
    void stream_action_isSent() throws IOException {
        registry.add(AsyncBulkhead.builder(5).name("prices").build());
        try (Console console = start();
                TestViewer one = TestViewer.of(console);
                TestViewer other = TestViewer.of(console)) {
            one.next();
            other.next();
            assertThat(RawHttp.act(console, "/api/parts/bulkhead/prices/set-limit", "{\"limit\":7}")
                            .status())
                    .isEqualTo(200);
            for (TestViewer viewer : List.of(one, other)) {
                while (viewer.events.stream().noneMatch(event -> "limit".equals(event.get("type")))) {
                    viewer.next();
                }
                viewer.next();
                assertThat(viewer.events)
                        .filteredOn(event -> "action".equals(event.get("type")))
                        .singleElement()
                        .satisfies(event -> assertThat(event)
                                .containsEntry("action", "set-limit")
                                .containsEntry("kind", "bulkhead")
                                .containsEntry("name", "prices")
                                .containsEntry("before", "5")
                                .containsEntry("after", "7"));
            }
        }
    }

    @Test
    @DisplayName("CN-5 one reading of a part serves all viewers of a frame; without viewers nothing is read")
    void stream_manyViewers_oneReading() throws IOException {
        AtomicInteger reads = new AtomicInteger();
        registry.add(new Counting(reads));
        try (Console console = start()) {
            assertThat(reads).hasValue(0);
            List<TestViewer> viewers = new ArrayList<>();
            try {
                for (int i = 0; i < 10; i++) {
                    viewers.add(TestViewer.of(console));
                    viewers.get(i).next();
                }
                int joined = reads.get();
                TestViewer first = viewers.get(0);
                int toldAnew;
                int before;
                do { // again if a viewer was too slow for a frame, because everything is then read anew
                    toldAnew = toldAnew(viewers);
                    before = reads(first.next());
                    for (TestViewer viewer : viewers) {
                        viewer.next().next();
                    }
                } while (before <= joined || toldAnew != toldAnew(viewers));
                // Each frame shows how often the part had been read: once for each frame, however many viewers there
                // were.
                assertThat(reads(first)).isEqualTo(before + 2);
            } finally {
                for (TestViewer viewer : viewers) {
                    viewer.close();
                }
            }
        }
    }

    private static int toldAnew(List<TestViewer> viewers) {
        return viewers.stream().mapToInt(viewer -> viewer.everythings).sum();
    }

    private static int reads(TestViewer viewer) {
        Object part = viewer.shown().get(0);
        Object measure = TestViewer.list(TestViewer.map(part), "measures").get(0);
        return ((Long) TestViewer.map(measure).get("value")).intValue();
    }

    private record Counting(AtomicInteger reads) implements Part {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public String kind() {
            return "bulkhead";
        }

        @Override
        public void read(Reading to) {
            to.count("read", reads.incrementAndGet());
        }
    }

    @Test
    @DisplayName("CN-2 more viewers than there is room for: 503 with Retry-After, until one leaves")
    void stream_tooManyViewers_refused() throws IOException {
        try (Console console = start()) {
            List<TestViewer> viewers = new ArrayList<>();
            try {
                for (int i = 0; i < FrameLoop.MOST_VIEWERS; i++) {
                    viewers.add(TestViewer.of(console));
                }
                RawHttp.Answer answer = RawHttp.get(console, "/api/stream");
                assertThat(answer.status()).isEqualTo(503);
                assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
                assertThat(RawHttp.get(console, "/api/parts").status()).isEqualTo(200);

                viewers.remove(0).close();
                boolean joined = false;
                while (!joined) {
                    viewers.get(0).next(); // a frame later the server finds that it is gone
                    try {
                        viewers.add(TestViewer.of(console));
                        joined = true;
                    } catch (IOException full) {
                        assertThat(full).hasMessageContaining("503");
                    }
                }
            } finally {
                for (TestViewer viewer : viewers) {
                    viewer.close();
                }
            }
        }
    }

    @Test
    @DisplayName("CN-5 a viewer that does not read is dropped, and others go on meanwhile")
    void stream_readerStops_droppedAndOthersGoOn() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            registry.add(new Wordy("wordy" + i));
        }
        ConsoleBuilder builder = new ConsoleBuilder(registry);
        builder.patience = Duration.ofMillis(500);
        builder.port(0);
        ConsoleServer console = new ConsoleServer(builder);
        console.start();
        try (console;
                Socket stops = begun(console)) {
            int answered = 0;
            while (console.viewers() > 0 || answered == 0) {
                answered += isAnswered(console) ? 1 : 0;
            }
            assertEnds(stops);
        }
    }

    /*
     * Opens a stream and reads its begin. A viewer that gets no processor for a while may be dropped, because the
     * patience is so short; then the method tries again.
     */
    private static Socket begun(Console console) throws IOException {
        for (; ; ) {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(4_096);
            try {
                socket.connect(new InetSocketAddress(
                        URI.create(console.url()).getHost(),
                        URI.create(console.url()).getPort()));
                socket.getOutputStream().write("GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
                if (socket.getInputStream().read() == 'H') {
                    return socket;
                }
            } catch (SocketException dropped) {
                // tries again
            }
            socket.close();
        }
    }

    /** What was sent before can still be read. */
    private static void assertEnds(Socket viewer) throws IOException {
        viewer.setSoTimeout(RawHttp.LIMIT_MILLIS);
        try {
            viewer.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (SocketTimeoutException open) {
            throw new AssertionError("the viewer is still connected", open);
        } catch (SocketException reset) {
            // ends, too
        }
    }

    private static boolean isAnswered(Console console) throws IOException {
        try {
            assertThat(RawHttp.get(console, "/nothing").status()).isEqualTo(404);
            return true;
        } catch (SocketTimeoutException hanging) {
            throw hanging;
        } catch (IOException dropped) {
            return false;
        }
    }

    /** A part that reports more than the buffers of a socket hold, together with the others. */
    private record Wordy(String name) implements Part {
        private static final String WORDS = "x".repeat(Json.LONGEST_TEXT);

        @Override
        public String kind() {
            return "bulkhead";
        }

        @Override
        public void read(Reading to) {
            for (int i = 0; i < 40; i++) {
                to.gauge(i + WORDS, i);
            }
        }
    }

    @Test
    @DisplayName("CN-1 closed: no thread and no socket is left, viewers learn it, and the port is free")
    void close_withViewers_nothingLeft() throws Exception {
        registry.add(AsyncBulkhead.builder(5).name("prices").build());
        Console console = start();
        int port = URI.create(console.url()).getPort();
        TestViewer viewer = TestViewer.of(console);
        viewer.next();
        Socket idle = RawHttp.connect(console);
        CountDownLatch ended = new CountDownLatch(1);
        Thread reader = new Thread(() -> {
            try {
                while (true) {
                    viewer.next();
                }
            } catch (IOException | RuntimeException end) {
                ended.countDown();
            }
        });
        reader.start();
        console.close();
        console.close();
        ended.await();
        reader.join();
        try (Socket none = idle) {
            assertThat(isEnded(none)).isTrue();
        }
        assertThat(threads()).isEmpty();
        try (Console again = startOnFreed(port)) {
            assertThat(RawHttp.get(again, "/api/parts").status()).isEqualTo(200);
        }
        assertThat(threads()).isEmpty();
    }

    /* Starts a console on a freed port. Another program may take the port first, though not ten times in a row. */
    private Console startOnFreed(int port) {
        UncheckedIOException taken = null;
        int freed = port;
        for (int i = 0; i < 10; i++) {
            try {
                return Console.builder(registry).port(freed).start();
            } catch (UncheckedIOException notFree) {
                taken = notFree;
                try (Console other = start()) {
                    freed = URI.create(other.url()).getPort();
                }
            }
        }
        throw new AssertionError("no port is free after close", taken);
    }

    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("tidegate-console") || name.equals("HTTP-Dispatcher"))
                .toList();
    }

    @Test
    @DisplayName("CN-1 closed while code of parts runs: that is not interrupted")
    void close_partsAtWork_notInterrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger undisturbed = new AtomicInteger();
        Runnable works = () -> {
            begun.countDown();
            try {
                end.await();
                undisturbed.incrementAndGet();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        };
        registry.add(new Part() {
            @Override
            public String name() {
                return "slow";
            }

            @Override
            public String kind() {
                return "bulkhead";
            }

            @Override
            public void read(Reading to) {
                works.run();
            }
        });
        Panel panel = new Panel() {
            @Override
            public String title() {
                return "Slow";
            }

            @Override
            public InputStream file(String name) {
                return null;
            }

            @Override
            public Map<String, ?> state() {
                return Map.of();
            }

            @Override
            public Map<String, ?> act(String action, Map<String, ?> body) {
                works.run();
                return Map.of();
            }
        };
        Console console = Console.builder(registry)
                .port(0)
                .controlToken(RawHttp.TOKEN)
                .panel(panel)
                .start();
        try (Socket asks = RawHttp.connect(console);
                Socket acts = RawHttp.connect(console)) {
            asks.getOutputStream().write("GET /api/parts HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
            acts.getOutputStream()
                    .write(("POST /api/panel/set HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + RawHttp.TOKEN
                                    + "\r\nContent-Length: 0\r\n\r\n")
                            .getBytes(UTF_8));
            begun.await();
            Thread closing = new Thread(console::close);
            closing.start();
            assertThat(isEnded(acts)).isTrue(); // the server has stopped
            end.countDown();
            closing.join();
        }
        while (undisturbed.get() < 2 && threads().stream().anyMatch(name -> name.endsWith("reading"))) {
            Thread.onSpinWait();
        }
        assertThat(undisturbed).hasValue(2);
    }
}

package io.tidegate.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A viewer like the page: begins with everything and applies each change. */
final class TestViewer implements AutoCloseable {
    final Map<Long, Map<String, Object>> parts = new TreeMap<>();
    final List<Map<String, Object>> events = new ArrayList<>();
    Object panel;
    int everythings;
    int changes;
    private Socket socket;
    private InputStream from;

    static TestViewer of(Console console) throws IOException {
        TestViewer viewer = new TestViewer();
        viewer.socket = RawHttp.connect(console);
        String request = "GET /api/stream HTTP/1.1\r\nHost: " + RawHttp.host(console) + "\r\n\r\n";
        viewer.socket.getOutputStream().write(request.getBytes(UTF_8));
        viewer.from = new BufferedInputStream(viewer.socket.getInputStream());
        for (String line = RawHttp.line(viewer.from); !line.isEmpty(); line = RawHttp.line(viewer.from)) {
            if (line.startsWith("HTTP/") && !line.contains(" 200 ")) {
                throw new IOException(line);
            }
        }
        viewer.from = new Chunks(viewer.from);
        return viewer;
    }

    /** Waits for the next event. */
    TestViewer next() throws IOException {
        String name = RawHttp.line(from);
        String data = RawHttp.line(from);
        RawHttp.line(from);
        take(
                name.substring("event: ".length()),
                data.substring("data: ".length()).getBytes(UTF_8));
        return this;
    }

    void take(String name, byte[] json) {
        Map<String, Object> frame = parsed(json);
        if (name.equals("parts")) {
            everythings++;
            parts.clear();
            events.clear();
        } else if (name.equals("change")) {
            changes++;
        }
        for (Object part : list(frame, "parts")) {
            Map<String, Object> shown = map(part);
            parts.put((Long) requireNonNull(shown.get("id")), shown);
        }
        map(frame.getOrDefault("values", Map.of())).forEach((id, pairs) -> {
            List<Object> measures = list(requireNonNull(parts.get(Long.valueOf(id))), "measures");
            List<Object> changed = list(pairs);
            for (int i = 0; i < changed.size(); i += 2) {
                map(measures.get(((Long) changed.get(i)).intValue())).put("value", changed.get(i + 1));
            }
        });
        list(frame, "gone").forEach(id -> parts.remove((Long) id));
        list(frame, "events").forEach(event -> events.add(map(event)));
        panel = frame.getOrDefault("panel", panel);
    }

    /** Parses JSON, with the text "null" for each null, because the console's reader accepts no nulls. */
    static Map<String, Object> parsed(byte[] json) {
        return Json.object(new String(json, UTF_8)
                .replaceAll("(?<=[:,\\[])null(?=[,\\]}])", "\"null\"")
                .getBytes(UTF_8));
    }

    /** Returns the parts as a new viewer would get them, but without the ids. */
    List<Object> shown() {
        return new ArrayList<>(parts.values());
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    static List<Object> list(Map<String, Object> in, String name) {
        return list(in.getOrDefault(name, List.of()));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The bytes of a chunked answer. */
    private static final class Chunks extends InputStream {
        private final InputStream in;
        private int left;

        Chunks(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            if (left == 0) {
                left = Integer.parseInt(RawHttp.line(in), 16);
                if (left == 0) {
                    return -1;
                }
            }
            int c = in.read();
            if (--left == 0) {
                RawHttp.line(in);
            }
            return c;
        }
    }
}

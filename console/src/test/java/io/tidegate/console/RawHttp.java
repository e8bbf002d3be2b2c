package io.tidegate.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sends requests as bytes on a socket, so that a test can send what no decent client would. */
final class RawHttp {
    static final String TOKEN = "a-token-of-24-characters";

    /** Ends a hanging test. */
    static final int LIMIT_MILLIS = 120_000;

    private RawHttp() {}

    record Answer(int status, Map<String, String> headers, String body) {
        Map<String, Object> json() {
            return TestViewer.parsed(body.getBytes(UTF_8));
        }

        String error() {
            return String.valueOf(json().get("error"));
        }

        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    static Socket connect(Console console) throws IOException {
        URI uri = URI.create(console.url());
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(LIMIT_MILLIS);
        return socket;
    }

    static String host(Console console) {
        return URI.create(console.url()).getAuthority();
    }

    static Answer get(Console console, String path, String... headers) throws IOException {
        return send(console, "GET", path, null, headers);
    }

    static Map<String, Object> parts(Console console) throws IOException {
        return get(console, "/api/parts").json();
    }

    /** Sends a request with the token. */
    static Answer act(Console console, String path, String body, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Authorization: Bearer " + TOKEN);
        return send(console, "POST", path, body, all.toArray(String[]::new));
    }

    static Answer send(Console console, String method, String path, String body, String... headers) throws IOException {
        List<String> lines = new ArrayList<>(List.of(headers));
        if (lines.stream().noneMatch(line -> line.startsWith("Host"))) {
            lines.add("Host: " + host(console));
        }
        lines.add("Connection: close");
        if (body != null) {
            if (lines.stream().noneMatch(line -> line.startsWith("Content-Type"))) {
                lines.add("Content-Type: application/json");
            }
            lines.add("Content-Length: " + body.getBytes(UTF_8).length);
        }
        String head = method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
        return raw(console, (head + (body == null ? "" : body)).getBytes(UTF_8));
    }

    static Answer raw(Console console, byte[] request) throws IOException {
        try (Socket socket = connect(console)) {
            try {
                socket.getOutputStream().write(request);
                socket.getOutputStream().flush();
            } catch (IOException refusedEarly) {
                // the answer may have come all the same
            }
            return read(socket.getInputStream());
        }
    }

    static Answer read(InputStream from) throws IOException {
        String status = line(from);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(from); !line.isEmpty(); line = line(from)) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (a, b) -> a + "|" + b);
        }
        byte[] body = headers.containsKey("content-length")
                ? from.readNBytes(Integer.parseInt(headers.get("content-length")))
                : new byte[0];
        return new Answer(Integer.parseInt(status.split(" ")[1]), headers, new String(body, UTF_8));
    }

    /** Returns a line without its end; fails at the end of the stream. */
    static String line(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = from.read(); c != '\n'; c = from.read()) {
            if (c < 0) {
                throw new IOException("ended after: " + line.toString(ISO_8859_1));
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(UTF_8);
    }
}

package io.tidegate.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Sends frames to a page in place of its console, when a test says so. */
final class ScriptedStream implements AutoCloseable {
    private final HttpServer server;
    private @Nullable String first;
    private @Nullable OutputStream viewer;

    /** Takes the console's place for a page without an address. */
    ScriptedStream(Page page) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        page.route("**/api/stream", route -> route.resume(new Route.ResumeOptions().setUrl(url)));
    }

    /** Sets the first frame of each viewer; nothing unless it is set. */
    synchronized void first(@Nullable String parts) {
        first = parts;
    }

    /** Whether a viewer is connected. */
    synchronized boolean hasViewer() {
        return viewer != null;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        viewer = exchange.getResponseBody();
        viewer.write(": hello\n\n".getBytes(UTF_8));
        viewer.flush();
        if (first != null) {
            send("parts", first);
        }
    }

    /** Sends an event to the viewer that came last. */
    synchronized void send(String event, String data) {
        OutputStream to = requireNonNull(viewer, "viewer");
        try {
            to.write("event: %s\ndata: %s\n\n"
                    .formatted(event, data.replace("\n", ""))
                    .getBytes(UTF_8));
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the connection of the viewer that came last. */
    synchronized void cut() {
        try {
            requireNonNull(viewer, "viewer").close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        viewer = null;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

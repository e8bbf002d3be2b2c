package io.tidegate.examples.plain;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that answers how many pieces of an article are in stock, unless it is down. */
final class StockService implements AutoCloseable {
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean down;

    StockService() throws IOException {
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        byte[] body = (down ? "down" : "12").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(down ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    URI uri() {
        return URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                + server.getAddress().getPort() + "/");
    }

    void setDown(boolean down) {
        this.down = down;
    }

    /** How many requests have come since it was asked last. */
    int requests() {
        return requests.getAndSet(0);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

package io.tidegate.examples.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * The other service, on a separate port, so that the example is one program. {@code /stock/lamp} answers how many lamps
 * there are; {@code /behave/200/0} heals it, {@code /behave/500/0} breaks it, and {@code /behave/200/1000} makes it
 * take a second.
 */
@Component
class InventoryService implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private int status = 200;
    private long millis;

    InventoryService(@Value("${inventory.port}") int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/stock/", exchange -> answer(exchange, awaitTurn(), "12"));
        server.createContext("/behave/", this::behave);
        server.setExecutor(threads);
        server.start();
        System.out.println("The inventory is at " + uri());
    }

    String uri() {
        return "http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    private void behave(HttpExchange exchange) throws IOException {
        String[] words = exchange.getRequestURI().getPath().split("/", -1);
        synchronized (this) {
            status = Integer.parseInt(words[2]);
            millis = Long.parseLong(words[3]);
            notifyAll(); // waiting answers go on
        }
        answer(exchange, 200, "status " + status + " after " + millis + " ms\n");
    }

    private synchronized int awaitTurn() throws IOException {
        try {
            if (millis > 0) {
                wait(millis);
            }
            return status;
        } catch (InterruptedException closed) {
            throw new InterruptedIOException();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

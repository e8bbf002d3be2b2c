package io.tidegate.lab.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP service on the loopback address that lets any number of requests in. */
public final class LabService implements AutoCloseable {
    private static final int BACKLOG = 1_024;
    private static final int NO_BODY = -1;

    private final Work work;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger peakInside = new AtomicInteger();
    private final HttpServer server;
    private final ExecutorService handlers;

    private LabService(Work work, HttpServer server) {
        this.work = work;
        this.server = server;
        this.handlers = Executors.newVirtualThreadPerTaskExecutor();
    }

    public static LabService start(Work work) throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        LabService service = new LabService(work, HttpServer.create(anyPort, BACKLOG));
        service.server.setExecutor(service.handlers);
        service.server.createContext("/", service::handle);
        service.server.start();
        return service;
    }

    public URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getHostString() + ":" + address.getPort() + "/");
    }

    /** Returns how many requests are inside now, in work or waiting. */
    public int inside() {
        return inside.get();
    }

    /** Returns how many were inside at the worst moment so far. */
    public int peakInside() {
        return peakInside.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(work(), NO_BODY);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /* The request leaves before the answer is sent: a caller that has its answer is no longer inside. */
    private int work() throws InterruptedException {
        peakInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
            return work.answer();
        } finally {
            inside.decrementAndGet();
        }
    }

    /** Drops all requests inside. */
    @Override
    public void close() {
        server.stop(0);
        handlers.shutdownNow();
        handlers.close();
    }
}

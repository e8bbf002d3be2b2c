package io.tidegate.lab;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP service on the loopback address that can be overloaded. It works on a few requests at once and lets any number
 * wait inside, first come first served. Those that wait slow the work down, as they do where they take memory, sockets and
 * processor time. It does not notice that a caller has gone.
 */
final class FragileService implements AutoCloseable {
    /** So many requests waiting inside make the work take twice as long. */
    static final int CROWD = 1_000;

    private static final int BACKLOG = 1_024;
    private static final int NO_CONTENT = 204;
    private static final int NO_BODY = -1;

    private final int capacity;
    private final Duration work;
    private final Semaphore workers;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger peakInside = new AtomicInteger();
    private final HttpServer server;
    private final ExecutorService handlers;

    private FragileService(int capacity, Duration work, HttpServer server) {
        this.capacity = capacity;
        this.work = work;
        this.workers = new Semaphore(capacity, true);
        this.server = server;
        this.handlers = Executors.newVirtualThreadPerTaskExecutor();
    }

    static FragileService start(int capacity, Duration work) throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        FragileService service = new FragileService(capacity, work, HttpServer.create(anyPort, BACKLOG));
        service.server.setExecutor(service.handlers);
        service.server.createContext("/", service::handle);
        service.server.start();
        return service;
    }

    URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getHostString() + ":" + address.getPort() + "/");
    }

    /** Returns how many requests are inside now, worked on or waiting. */
    int inside() {
        return inside.get();
    }

    /** Returns how many were inside at the worst moment so far. */
    int peakInside() {
        return peakInside.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            work();
            exchange.sendResponseHeaders(NO_CONTENT, NO_BODY);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /* The request leaves before it is answered: a caller that has its answer is not inside any more. */
    private void work() throws InterruptedException {
        peakInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
            workers.acquire();
            try {
                Thread.sleep(slowedDown());
            } finally {
                workers.release();
            }
        } finally {
            inside.decrementAndGet();
        }
    }

    private Duration slowedDown() {
        int waiting = Math.max(0, inside.get() - capacity);
        return work.plus(work.multipliedBy(waiting).dividedBy(CROWD));
    }

    /** Drops whatever is inside. */
    @Override
    public void close() {
        server.stop(0);
        handlers.shutdownNow();
        handlers.close();
    }
}

package io.tidegate.examples.orders;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The service that ships. It remembers the greatest fence of each customer and refuses a smaller one.
 * What it has shipped it does not ship again.
 */
final class Warehouse implements AutoCloseable {
    private static final long PACKING_MILLIS = 30;

    /** A request: which worker, with which fence, wants to ship which order. */
    record Shipment(String customer, long order, long fence, String worker) {
        boolean isSameOrder(Shipment other) {
            return customer.equals(other.customer) && order == other.order;
        }
    }

    final List<Shipment> shipped = new CopyOnWriteArrayList<>();
    final List<Shipment> shippedBefore = new CopyOnWriteArrayList<>();
    final List<String> refused = new CopyOnWriteArrayList<>();
    final CountDownLatch toShip;

    /** The first request for one order stays on its way until it is let go: the wire is slow. */
    final CompletableFuture<Shipment> onItsWay = new CompletableFuture<>();

    final CountDownLatch letGo = new CountDownLatch(1);
    final CountDownLatch arrived = new CountDownLatch(1);

    private final String slowCustomer;
    private final long slowOrder;
    private final Map<String, Long> fences = new TreeMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    Warehouse(int orders, String slowCustomer, long slowOrder) throws IOException {
        this.toShip = new CountDownLatch(orders);
        this.slowCustomer = slowCustomer;
        this.slowOrder = slowOrder;
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    URI uri() {
        return URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                + server.getAddress().getPort() + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        String[] words = exchange.getRequestURI().getPath().split("/", -1);
        Shipment asked = new Shipment(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]), words[4]);
        boolean isSlow =
                asked.customer().equals(slowCustomer) && asked.order() == slowOrder && onItsWay.complete(asked);
        try (exchange) {
            if (isSlow) {
                letGo.await();
            } else {
                Thread.sleep(PACKING_MILLIS);
            }
            exchange.sendResponseHeaders(ship(asked) ? 200 : 409, -1);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            if (isSlow) {
                arrived.countDown();
            }
        }
    }

    private synchronized boolean ship(Shipment asked) {
        long greatest = fences.getOrDefault(asked.customer(), 0L);
        if (asked.fence() < greatest) {
            refused.add(asked + ", as fence " + greatest + " was here");
            return false;
        }
        fences.put(asked.customer(), asked.fence());
        if (shipped.stream().anyMatch(asked::isSameOrder)) {
            shippedBefore.add(asked); // its worker was killed before it could report to the lease
        } else {
            shipped.add(asked);
            toShip.countDown();
        }
        return true;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

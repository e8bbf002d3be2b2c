package io.tidegate.examples.orders;

import io.tidegate.examples.orders.Warehouse.Shipment;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/**
 * Hands the orders of five customers to two workers, kills one of them while its request is on the way, and looks at
 * what was shipped.
 */
public final class Orders {
    private static final List<String> CUSTOMERS = List.of("alice", "bob", "carol", "dave", "erin");
    private static final int ORDERS = 8; // of each customer
    private static final int BEFORE_THE_KILL = 4;
    private static final int LIMIT_MINUTES = 5;

    private Orders() {}

    /** An argument is the port of the database; without one, any that is free. */
    public static void main(String[] args) throws Exception {
        int port = args.length == 0 ? 0 : Integer.parseInt(args[0]);
        try (EmbeddedPostgres database = EmbeddedPostgres.builder()
                        .setPort(port)
                        .setPGStartupWait(Duration.ofMinutes(LIMIT_MINUTES))
                        .start();
                Warehouse warehouse = new Warehouse(CUSTOMERS.size() * ORDERS, "carol", 3)) {
            String url = database.getJdbcUrl("postgres", "postgres");
            try (WorkerProcess first = new WorkerProcess("worker-1", warehouse.uri(), url);
                    WorkerProcess second = new WorkerProcess("worker-2", warehouse.uri(), url)) {
                ship(warehouse, first, second);
            }
            report(warehouse);
        }
    }

    private static void ship(Warehouse warehouse, WorkerProcess first, WorkerProcess second) throws Exception {
        int handed = 0;
        for (int order = 1; order <= BEFORE_THE_KILL; order++) {
            for (String customer : CUSTOMERS) {
                (handed++ % 2 == 0 ? first : second).hand(customer, order); // whichever has the customer's lease
            }
        }
        System.out.println(handed + " orders handed to two workers");

        Shipment onItsWay = warehouse.onItsWay.get(LIMIT_MINUTES, TimeUnit.MINUTES);
        boolean isOfFirst = onItsWay.worker().equals(first.name());
        WorkerProcess killed = isOfFirst ? first : second;
        WorkerProcess left = isOfFirst ? second : first;
        killed.kill();
        System.out.printf(
                "%s killed while its request for order %d of %s, fence %d, is on the way%n",
                killed.name(), onItsWay.order(), onItsWay.customer(), onItsWay.fence());

        for (int order = BEFORE_THE_KILL + 1; order <= ORDERS; order++) {
            for (String customer : CUSTOMERS) {
                left.hand(customer, order);
                handed++;
            }
        }
        System.out.printf(
                "%d orders handed, the rest of them to %s; its sweep finds what is left behind%n", handed, left.name());
        await(warehouse.toShip);
        System.out.println("all shipped; now the late request arrives");
        warehouse.letGo.countDown();
        await(warehouse.arrived);
    }

    private static void await(CountDownLatch latch) throws InterruptedException, TimeoutException {
        if (!latch.await(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            throw new TimeoutException("not within " + LIMIT_MINUTES + " minutes");
        }
    }

    private static void report(Warehouse warehouse) {
        System.out.println();
        for (String worker : List.of("worker-1", "worker-2")) {
            long count = warehouse.shipped.stream()
                    .filter(shipment -> shipment.worker().equals(worker))
                    .count();
            System.out.println(worker + " shipped " + count);
        }
        List<Long> expected = LongStream.rangeClosed(1, ORDERS).boxed().toList();
        for (String customer : CUSTOMERS) {
            List<Long> orders = warehouse.shipped.stream()
                    .filter(shipment -> shipment.customer().equals(customer))
                    .map(Shipment::order)
                    .toList();
            System.out.println(customer + " " + orders + (orders.equals(expected) ? " in order, each once" : " WRONG"));
        }
        System.out.println("asked for again and known as shipped: " + warehouse.shippedBefore.size());
        warehouse.refused.forEach(late -> System.out.println("refused: " + late));
    }
}

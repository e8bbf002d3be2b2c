package io.tidegate.examples.orders;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.LeaseRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A process that ships orders. They come as lines of standard input, "customer order", and each is acknowledged by a
 * line of standard output. The end of the input is the end of the process.
 */
public final class Worker {
    private static final int THREADS = 4;

    private Worker() {}

    public static void main(String[] args) throws IOException {
        String name = args[0];
        WarehouseClient warehouse = new WarehouseClient(URI.create(args[1]), name);
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(args[2]);
        pool.setMaximumPoolSize(THREADS + 2); // more than tasks at a time, so that leases can always be prolonged

        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try (HikariDataSource dataSource = new HikariDataSource(pool)) {
            JdbcWorkLease.migrate(dataSource); // creates the tables, or brings them up to date
            JdbcWorkLease lease = JdbcWorkLease.builder(dataSource, "orders", 5) // five retries
                    .leaseDuration(Duration.ofSeconds(10))
                    .build();
            LeaseRunner runner = LeaseRunner.builder(
                            lease,
                            work -> warehouse.ship(work.domainId(), work.offset(), work.fence()),
                            threads,
                            scheduler)
                    .build();
            try (runner) {
                takeOrders(runner);
            }
        } finally {
            threads.shutdown();
            scheduler.shutdown();
        }
    }

    private static void takeOrders(LeaseRunner runner) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", 2);
            runner.offer(words[0], Long.parseLong(words[1]));
            System.out.println("ok"); // the order is in the database now: if this process dies, the other one ships it
        }
    }
}

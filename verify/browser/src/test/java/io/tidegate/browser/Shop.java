package io.tidegate.browser;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.tidegate.Backoff;
import io.tidegate.Registry;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.guard.Guard;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.WorkLease;
import io.tidegate.rate.RateLimiter;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import io.tidegate.testkit.InMemoryCapStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;

/** A registry with parts of every kind, some in trouble, and load on them as long as a test needs it. */
final class Shop implements AutoCloseable {
    private static final long SEED = 17;
    private static final int LOADERS = 4;
    private static final long PAUSE_NANOS = 10_000_000;

    final Registry registry = new Registry();
    final CircuitBreaker payments;
    final AsyncBulkhead images = AsyncBulkhead.builder(10).name("images").build();
    final RateLimiter publicApi =
            RateLimiter.builder(100, Duration.ofSeconds(1)).name("public-api").build();
    final WorkLease orders = WorkLease.builder(3).name("orders").build();
    final GroupExecutor tenants = GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder()
            .name("tenants")
            .defaultMaxInFlightPerGroup(2)
            .defaultQueueThresholdPerGroup(3)
            .globalMaxInFlight(20)
            .build());
    final RemoteBulkheadClient reports = RemoteBulkheadClient.of(RemoteBulkhead.builder(3)
            .name("reports")
            .policy(BackpressurePolicy.queue(4, Duration.ofHours(1).toMillis()))
            .build());
    private final RemoteCapability reportsCapability = reports.takeCapability();
    private final AsyncBulkhead adaptive =
            AdaptiveLimit.gradient().name("search").initial(12).build();
    private final CircuitBreaker inventoryBreaker = CircuitBreaker.of("inventory");
    private final AsyncBulkhead inventoryBulkhead =
            AsyncBulkhead.builder(3).name("inventory").build();
    final Guard inventory = Guard.builder("inventory")
            .timeLimit(Duration.ofMinutes(2))
            .retry(Retry.builder()
                    .maxAttempts(2)
                    .backoff(Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(2)))
                    .budget(RetryBudget.of(0.2, 10))
                    .build())
            .rateLimit(publicApi)
            .breaker(inventoryBreaker)
            .bulkhead(inventoryBulkhead)
            .timeLimit(Duration.ofMinutes(1))
            .build();
    private final Guard checkout;

    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    private final CompletableFuture<Void> held = new CompletableFuture<>();
    private final ClusterBulkhead relay;
    private final RemoteCapability relayCapability;
    private final LeaseRunner workers;
    private final List<Thread> loaders = new ArrayList<>();
    private volatile boolean loaded;

    /** The share of payments that fail. */
    volatile double failures = 0.7;

    Shop() {
        this(Duration.ofHours(1));
    }

    /** Makes a shop whose breaker for payments, once open, stays open for this time. */
    Shop(Duration openFor) {
        payments = CircuitBreaker.builder("payments")
                .failureRate(0.5, 10)
                .slidingWindow(20)
                .timeout(openFor)
                .build();
        checkout = Guard.builder("checkout").breaker(payments).build();
        registry.add(inventory, "team", "shop");
        registry.add(checkout, "team", "shop");
        registry.add(payments, "team", "shop");
        registry.add(inventoryBreaker, "team", "shop");
        registry.add(inventoryBulkhead, "team", "shop");
        registry.add(images, "team", "media");
        registry.add(adaptive, "team", "media");
        registry.add(publicApi);
        registry.add(reports, "team", "office");
        registry.add(tenants);
        registry.add(orders);
        relay = registry.add(
                ClusterBulkhead.builder(new InMemoryCapStore(System::currentTimeMillis), "mail-relay", 8, scheduler)
                        .build(),
                "team",
                "office");
        relayCapability = relay.takeCapability();
        workers = registry.add(LeaseRunner.builder(
                        WorkLease.inMemory(1),
                        work -> {
                            if (work.offset() % 5 == 0) {
                                throw new IOException("no such address");
                            }
                        },
                        scheduler,
                        scheduler)
                .name("order-workers")
                .build());
        hold();
    }

    /** Leaves something that does not change, so that no view is empty without load. */
    private void hold() {
        for (int i = 0; i < 10; i++) {
            images.submit(() -> held);
            reports.submit(reportsCapability, "report-" + i, () -> held);
        }
        for (int tenant = 1; tenant <= 6; tenant++) {
            for (int task = 0; task < 7 - tenant; task++) {
                tenants.submitStage("tenant-" + tenant, "task-" + task, () -> held);
            }
        }
        for (int customer = 1; customer <= 60; customer++) {
            String domain = "customer-%03d".formatted(customer);
            for (int offset = 1; offset <= customer % 4 + 1; offset++) {
                orders.tryAcquire(domain, offset);
            }
        }
        if (orders.tryAcquire("customer-007", 1) instanceof AcquireResult.AlreadyAcquired first) {
            orders.fail("customer-007", first.token(), new Failure(1, true, "no such article"));
        }
    }

    /** Starts load on the parts that can have some. */
    void load() {
        loaded = true;
        for (int i = 0; i < LOADERS; i++) {
            Random random = new Random(SEED + i);
            Thread loader = new Thread(() -> keepCalling(random), "load-" + i);
            loaders.add(loader);
            loader.start();
        }
    }

    private void keepCalling(Random random) {
        while (loaded) {
            round(random);
            LockSupport.parkNanos(PAUSE_NANOS); // a refused call takes no time by itself
        }
    }

    private void round(Random random) {
        call(() -> inventory.call(answer(random, 0.02)));
        call(() -> checkout.call(answer(random, failures)));
        call(() -> adaptive.submit(() -> CompletableFuture.runAsync(() -> work(random), scheduler)));
        call(() -> images.submit(() -> held));
        call(() -> relay.submit(relayCapability, "mail", () -> held));
        call(() -> tenants.run("tenant-" + (1 + random.nextInt(9)), "task", () -> work(random)));
        long offset = 1L + random.nextInt(1000);
        call(() -> workers.offer("address-" + random.nextInt(5), offset));
    }

    private static Callable<String> answer(Random random, double failures) {
        return () -> {
            work(random);
            if (random.nextDouble() < failures) {
                throw new IOException("no answer");
            }
            return "an answer";
        };
    }

    /** Works for some milliseconds, now and then for many. */
    private static void work(Random random) {
        double share = random.nextDouble();
        LockSupport.parkNanos((long) (2_000_000 + 8_000_000 * share * share * share));
    }

    private static void call(Callable<?> call) {
        try {
            call.call();
        } catch (Exception expected) {
            // refused, or failed on purpose
        }
    }

    /** Ends the load, and waits until all calls have ended. */
    void settle() throws InterruptedException {
        loaded = false;
        for (Thread loader : loaders) {
            loader.join();
        }
        loaders.clear();
    }

    @Override
    public void close() {
        loaded = false;
        held.complete(null);
        tenants.close();
        relay.close();
        workers.close();
        scheduler.shutdownNow();
        try {
            scheduler.awaitTermination(60, SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

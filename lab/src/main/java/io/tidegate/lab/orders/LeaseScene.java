package io.tidegate.lab.orders;

import io.tidegate.lab.Scene;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.OrderLog.End;
import io.tidegate.lab.print.ProgressLine;
import io.tidegate.lab.print.Screen;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.WorkLease;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders that a {@link LeaseRunner} works off in order, though its worker keeps dying. */
public final class LeaseScene implements Scene {
    private static final Duration LOOK = Duration.ofMillis(20);

    private final OrderPlan plan;

    /** Makes a scene of this plan. */
    public LeaseScene(OrderPlan plan) {
        this.plan = plan;
    }

    /**
     * The results.
     *
     * @param log what the workers did
     * @param deaths how many of them died
     * @param cameAgain how many messages came a second time
     */
    record Result(OrderLog log, int deaths, int cameAgain) {}

    @Override
    public String name() {
        return "lease";
    }

    @Override
    public String about() {
        return "orders worked off in order for each customer, by a worker that keeps dying";
    }

    @Override
    public Optional<Scene> on(Store store) {
        return Optional.of(store.isMemory() ? this : new SharedLeaseScene(store, plan));
    }

    @Override
    public void play(Screen screen) throws InterruptedException {
        LeaseReport report = new LeaseReport(plan);
        screen.out().println(report.opening());
        Result result = run(screen);
        screen.out().println();
        screen.show(report.table(result));
        screen.out().println(report.history(result.log()));
        screen.out().println(report.finding(result));
    }

    Result run(Screen screen) throws InterruptedException {
        try (Shop shop = new Shop(plan);
                ProgressLine progress = new ProgressLine(screen)) {
            progress.start(shop::state);
            shop.sendAll();
            shop.awaitEnd();
            return new Result(shop.log, shop.deaths.get(), shop.cameAgain);
        }
    }

    /** Sends the orders, and makes sure that there is a worker. */
    private static final class Shop implements AutoCloseable {
        private final OrderPlan plan;
        private final OrderLog log = new OrderLog();
        private final WorkLease store;
        private final long start = System.nanoTime();
        private final AtomicInteger deaths = new AtomicInteger();
        private OrderWorker worker;
        private int lastSent;
        private int cameAgain;

        Shop(OrderPlan plan) {
            this.plan = plan;
            this.store = WorkLease.inMemory(plan.maxRetries());
            this.worker = newWorker();
        }

        private OrderWorker newWorker() {
            int died = deaths.get();
            Duration lives = died < plan.deaths().size() ? plan.deaths().get(died) : Duration.ofDays(1);
            return new OrderWorker(plan, store, log, start + lives.toNanos());
        }

        void sendAll() throws InterruptedException {
            for (int order = 1; order <= plan.orders(); order++) {
                awaitUntil(plan.every().multipliedBy(order - 1));
                for (String customer : plan.customers()) {
                    send(customer, order);
                }
                lastSent = order;
            }
        }

        private void send(String customer, int order) throws InterruptedException {
            while (!worker.offer(customer, order)) {
                replaceIfDead(plan.restart());
            }
        }

        private void awaitUntil(Duration due) throws InterruptedException {
            for (Duration left = left(due); !left.isNegative(); left = left(due)) {
                replaceIfDead(left);
            }
        }

        private Duration left(Duration due) {
            return due.minusNanos(System.nanoTime() - start);
        }

        /*
         * Waits up to a limit for the worker to die, and replaces it. Its last message was not acknowledged, so it
         * comes again.
         */
        private void replaceIfDead(Duration limit) throws InterruptedException {
            if (!worker.awaitDeath(limit)) {
                return;
            }
            worker.close();
            log.died();
            deaths.incrementAndGet();
            Time.SYSTEM.sleep(plan.restart().toNanos());
            worker = newWorker();
            for (String customer : plan.customers()) {
                if (lastSent > 0 && worker.offer(customer, lastSent)) {
                    cameAgain++;
                }
            }
        }

        void awaitEnd() throws InterruptedException {
            Duration end = plan.every().multipliedBy(plan.orders()).plus(plan.patience());
            while (ended() < plan.total() && !left(end).isNegative()) {
                replaceIfDead(LOOK);
            }
        }

        private long ended() {
            return log.count(End.DONE) + log.count(End.PARKED);
        }

        String state() {
            return String.format(
                    Locale.ROOT,
                    "lease        %d of ~%d s: worker %d, orders done %d of %d, attempts failed %d, cut off %d,"
                            + " parked %d",
                    Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                    plan.length().toSeconds(),
                    deaths.get() + 1,
                    log.count(End.DONE),
                    plan.total(),
                    log.count(End.FAILED),
                    log.count(End.CUT_OFF),
                    log.count(End.PARKED));
        }

        @Override
        public void close() {
            worker.close();
            log.died();
        }
    }
}

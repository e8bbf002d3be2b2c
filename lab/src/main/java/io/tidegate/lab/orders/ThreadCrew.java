package io.tidegate.lab.orders;

import io.tidegate.Registry;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.WorkLease;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One worker at a time in this process, on leases in memory. */
final class ThreadCrew implements Crew {
    private final OrderPlan plan;
    private final OrderBook book;
    private final Registry registry;
    private final WorkLease store;
    private int number;
    private @Nullable OrderWorker worker;
    private long diedAt;
    private boolean closed;

    ThreadCrew(OrderPlan plan, OrderBook book, Registry registry) {
        this.plan = plan;
        this.book = book;
        this.registry = registry;
        this.store =
                registry.add(WorkLease.builder(plan.maxRetries()).name("orders").build());
        start();
    }

    private synchronized void start() {
        number++;
        OrderWorker started =
                new OrderWorker(plan, store, book.listener(name()), Long.MAX_VALUE / 2 + System.nanoTime());
        registry.add(started.runner());
        worker = started;
    }

    private String name() {
        return "worker-" + number;
    }

    @Override
    public synchronized boolean offer(String customer, long order) {
        return worker != null && worker.offer(customer, order);
    }

    @Override
    public synchronized String kill() {
        if (worker == null) {
            return "";
        }
        worker.kill();
        registry.remove(worker.runner());
        worker.close();
        worker = null;
        book.died(name());
        diedAt = System.nanoTime();
        return name();
    }

    @Override
    public synchronized void replaceDead() {
        if (worker == null
                && !closed
                && System.nanoTime() - diedAt >= plan.restart().toNanos()) {
            start();
        }
    }

    @Override
    public Optional<DomainSnapshot> inspect(String customer) {
        return store.inspect(customer);
    }

    @Override
    public synchronized List<Member> members() {
        return List.of(new Member(name(), worker == null ? "dead" : book.isRunning(name()) ? AT_WORK : "idle"));
    }

    @Override
    public synchronized void close() {
        closed = true;
        kill();
        registry.remove(store);
    }
}

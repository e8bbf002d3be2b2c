package io.tidegate.lab.orders;

import io.tidegate.Registry;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.SharedWorkLease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Worker processes on a store that they share. This process only observes; it takes no lease. */
final class ProcessCrew implements Crew {
    private static final int WORKERS = 3;
    private static final int DEAD_SHOWN = 3;

    private final Store store;
    private final OrderPlan plan;
    private final OrderBook book;
    private final Registry registry;
    private final String name;
    private final Store.Opened leases;
    /* Read without the lock, so that viewers do not wait for a worker that is slow to answer. */
    private final List<WorkerProcess> living = new CopyOnWriteArrayList<>();
    private final List<String> dead = new CopyOnWriteArrayList<>();
    private int started;
    private int next;
    private long diedAt;
    private boolean closed;

    private ProcessCrew(Store store, OrderPlan plan, OrderBook book, Registry registry) throws IOException {
        this.store = store;
        this.plan = plan;
        this.book = book;
        this.registry = registry;
        // A new name, so that leases of earlier runs do not matter.
        this.name = "lab-" + UUID.randomUUID();
        this.leases = store.open(name, "lab", plan.maxRetries());
    }

    static ProcessCrew start(Store store, OrderPlan plan, OrderBook book, Registry registry) throws IOException {
        ProcessCrew crew = new ProcessCrew(store, plan, book, registry);
        try {
            registry.add(crew.leases.lease());
            for (int worker = 0; worker < WORKERS; worker++) {
                crew.startWorker();
            }
            for (WorkerProcess worker : crew.living) {
                worker.awaitReady();
            }
            return crew;
        } catch (IOException | RuntimeException failed) {
            crew.close();
            throw failed;
        }
    }

    private void startWorker() throws IOException {
        started++;
        living.add(WorkerProcess.start(store, name, "worker-" + started, plan, book));
    }

    @Override
    public boolean offer(String customer, long order) {
        List<WorkerProcess> ready =
                living.stream().filter(WorkerProcess::isReady).toList();
        for (int tries = 0; tries < ready.size(); tries++) {
            if (ready.get(next++ % ready.size()).offer(customer, order)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized String kill() {
        List<WorkerProcess> ready =
                living.stream().filter(WorkerProcess::isReady).toList();
        if (ready.isEmpty()) {
            return "";
        }
        WorkerProcess victim = ready.stream()
                .filter(worker -> book.isRunning(worker.name()))
                .findFirst()
                .orElse(ready.get(0));
        victim.kill();
        bury();
        return victim.name();
    }

    private void bury() {
        for (WorkerProcess worker : List.copyOf(living)) {
            if (!worker.isAlive()) {
                worker.kill(); // returns when its output has been read
                living.remove(worker);
                dead.add(worker.name());
                book.died(worker.name());
                diedAt = System.nanoTime();
            }
        }
    }

    @Override
    public synchronized void replaceDead() {
        if (closed) {
            return;
        }
        bury();
        boolean due = System.nanoTime() - diedAt >= plan.restart().toNanos();
        try {
            while (due && living.size() < WORKERS) {
                startWorker();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public Optional<DomainSnapshot> inspect(String customer) {
        return leases.lease().inspect(customer);
    }

    @Override
    public List<Member> members() {
        return Stream.concat(
                        living.stream().map(worker -> new Member(worker.name(), state(worker))),
                        dead.stream()
                                .skip(Math.max(0, dead.size() - DEAD_SHOWN))
                                .map(gone -> new Member(gone, "killed")))
                .toList();
    }

    private String state(WorkerProcess worker) {
        return !worker.isReady() ? "starting" : book.isRunning(worker.name()) ? AT_WORK : "idle";
    }

    /** Removes everything from the store. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (leases) {
            living.forEach(WorkerProcess::kill);
            registry.remove(leases.lease());
            clear(leases.lease());
        } catch (RuntimeException closing) {
            clearAgain(closing);
        }
    }

    /* On Ctrl-C an H2 database in this process closes at the same time. It opens again with the next connection. */
    private void clearAgain(RuntimeException closing) {
        try (Store.Opened again = store.open(name, "lab", plan.maxRetries())) {
            clear(again.lease());
        } catch (IOException gone) {
            closing.addSuppressed(gone);
            throw closing;
        }
    }

    private void clear(SharedWorkLease lease) {
        plan.customers().forEach(customer -> workOff(lease, customer));
        lease.deleteFailed(Duration.ZERO);
        lease.deleteIdle(Duration.ZERO);
    }

    /* Only a domain without work can be deleted. */
    private static void workOff(SharedWorkLease lease, String customer) {
        lease.summary(customer)
                .flatMap(DomainSummary::lease)
                .ifPresent(held -> lease.forceRelease(customer, held.fence()));
        for (long order : lease.inspect(customer).map(DomainSnapshot::backlog).orElse(List.of())) {
            if (lease.tryAcquire(customer, order) instanceof AcquireResult.Acquired ours) {
                lease.succeed(customer, ours.token());
            }
        }
    }
}

package io.tidegate.lab.orders;

import io.tidegate.Backoff;
import io.tidegate.lab.load.Time;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeasedWork;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A process that works off orders. They come as lines of its input, a customer and a number. It answers each by a line
 * of its output, and reports the events of an order in the same way. It ends when its input ends.
 */
public final class WorkerMain {
    static final String READY = "ready";
    static final String TAKEN = "taken";
    static final String NOT_TAKEN = "not-taken";

    private static final Duration SWEEP = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Duration work;
    private final PrintStream out;

    private WorkerMain(Duration work, PrintStream out) {
        this.work = work;
        this.out = out;
    }

    /**
     * Runs a worker. The environment contains the login for the store.
     *
     * @param args kind and address of the store, the name of the leases, the worker's name, milliseconds for an order
     */
    public static void main(String[] args) throws IOException {
        Store store = new Store(Store.Kind.valueOf(args[0]), args[1], Login.of(System.getenv()));
        WorkerMain worker = new WorkerMain(Duration.ofMillis(Long.parseLong(args[4])), System.out);
        try (Store.Opened opened = store.open(args[2], args[3], OrderPlan.DEFAULT.maxRetries());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
                LeaseRunner runner = LeaseRunner.builder(opened.lease(), worker::work, threads, scheduler)
                        .backoff(Backoff.exponential(OrderPlan.DEFAULT.firstDelay(), LONGEST_PAUSE))
                        .sweepEvery(SWEEP)
                        .listener(new OrderBook.RunnerEvents(worker::report))
                        .build()) {
            worker.takeOrders(runner);
        }
    }

    private void takeOrders(LeaseRunner runner) throws IOException {
        say(READY);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] words = line.split(" ", -1);
            say(take(runner, words[0], Long.parseLong(words[1])) ? TAKEN : NOT_TAKEN);
        }
    }

    /* A message comes out of turn while earlier orders wait for a sweep, or while the store does not answer. */
    private static boolean take(LeaseRunner runner, String customer, long order) {
        try {
            runner.offer(customer, order);
            return true;
        } catch (RuntimeException later) {
            return false;
        }
    }

    private void work(LeasedWork order) throws InterruptedException {
        Time.SYSTEM.sleep(work.toNanos());
        if (OrderPlan.DEFAULT.fails(order.domainId(), order.offset(), order.retryCount())) {
            throw new IllegalStateException("the warehouse does not answer");
        }
    }

    private void report(OrderBook.Event event, LeasedWork order) {
        say(event + " " + order.domainId() + " " + order.offset() + " " + order.fence());
    }

    private synchronized void say(String line) {
        out.println(line);
        out.flush();
    }
}

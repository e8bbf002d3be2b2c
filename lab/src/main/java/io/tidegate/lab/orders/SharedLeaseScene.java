package io.tidegate.lab.orders;

import static io.tidegate.lab.print.Numbers.millis;
import static io.tidegate.lab.print.Numbers.whole;

import io.tidegate.Registry;
import io.tidegate.lab.Scene;
import io.tidegate.lab.load.AtExit;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.OrderBook.Event;
import io.tidegate.lab.print.ProgressLine;
import io.tidegate.lab.print.Screen;
import io.tidegate.lab.print.Table;
import io.tidegate.lease.DomainSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The same orders, worked off by several processes on one store, which are killed one after the other. */
public final class SharedLeaseScene implements Scene {
    private static final Duration LOOK = Duration.ofMillis(50);

    private final Store store;
    private final OrderPlan plan;

    /** Makes a scene of this plan, on a store that processes can share. */
    public SharedLeaseScene(Store store, OrderPlan plan) {
        this.store = store;
        this.plan = plan;
    }

    /**
     * The results.
     *
     * @param book the workers' reports
     * @param kills how many workers were killed
     * @param ended what the leases know at the end, of each customer
     */
    record Result(OrderBook book, int kills, Map<String, DomainSnapshot> ended) {
        long done(String customer) {
            return ended.containsKey(customer) ? ended.get(customer).processedCount() : 0;
        }

        long parked(String customer) {
            return ended.containsKey(customer) ? ended.get(customer).failedCount() : 0;
        }

        long done() {
            return ended.keySet().stream().mapToLong(this::done).sum();
        }

        long parked() {
            return ended.keySet().stream().mapToLong(this::parked).sum();
        }
    }

    @Override
    public String name() {
        return "lease";
    }

    @Override
    public String about() {
        return "orders worked off in order for each customer, by processes that are killed";
    }

    @Override
    public void play(Screen screen) throws IOException, InterruptedException {
        screen.out().println(opening());
        Result result = run(screen);
        screen.out().println();
        screen.show(table(result));
        screen.out().println(finding(result));
    }

    private String opening() {
        return String.format(
                Locale.ROOT,
                """
                %d customers send an order each every %s, %d in all. Three worker processes on one store work
                them off, %s each: the leases there give the orders of a customer out one at a time, in order.
                %d times a worker at work is killed, as an operating system does it, and another one started.
                """,
                plan.customers().size(),
                millis(plan.every()),
                plan.total(),
                millis(plan.work()),
                plan.deaths().size());
    }

    Result run(Screen screen) throws IOException, InterruptedException {
        OrderBook book = new OrderBook();
        Crew crew = Crew.start(store, plan, book, new Registry());
        try (AtExit ending = new AtExit(crew::close);
                ProgressLine progress = new ProgressLine(screen)) {
            try {
                return run(crew, book, progress);
            } catch (RuntimeException failed) {
                if (ending.isEnding()) {
                    throw new InterruptedException("the process ends");
                }
                throw failed;
            }
        }
    }

    private Result run(Crew crew, OrderBook book, ProgressLine progress) throws InterruptedException {
        long start = System.nanoTime();
        progress.start(() -> state(start, book));
        OrderFeed feed = new OrderFeed(plan, crew);
        int kills = 0;
        long last =
                plan.every().multipliedBy(plan.orders()).plus(plan.patience()).toNanos();
        Result result = new Result(book, 0, Map.of());
        for (long now = 0; now < last && !isOver(result); now = System.nanoTime() - start) {
            feed.handIn(now);
            boolean due = kills < plan.deaths().size()
                    && now >= plan.deaths().get(kills).toNanos();
            if (due && !crew.kill().isEmpty()) {
                kills++;
            }
            crew.replaceDead();
            Time.SYSTEM.sleep(LOOK.toNanos());
            result = new Result(book, kills, inspect(crew));
        }
        return result;
    }

    private Map<String, DomainSnapshot> inspect(Crew crew) {
        Map<String, DomainSnapshot> found = new HashMap<>();
        plan.customers()
                .forEach(customer -> crew.inspect(customer).ifPresent(snapshot -> found.put(customer, snapshot)));
        return found;
    }

    private boolean isOver(Result result) {
        return result.done() + result.parked() == plan.total();
    }

    private String state(long start, OrderBook book) {
        return String.format(
                Locale.ROOT,
                "lease        %d of ~%d s: orders done %d of %d, cut off %d, parked %d",
                Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                plan.length().plusSeconds(10).toSeconds(),
                book.done(),
                plan.total(),
                book.cutOff(),
                book.parked());
    }

    Table table(Result result) {
        OrderBook book = result.book();
        return new Table(plan.customers().toArray(String[]::new))
                .row("orders sent", cells(customer -> plan.orders()))
                .row("orders done", cells(result::done))
                .row("orders parked", cells(result::parked))
                .row("attempts", cells(customer -> book.count(customer, Event.STARTED)))
                .row("  failed, tried again later", cells(customer -> book.count(customer, Event.RETRIED)))
                .row("  cut off by a kill, run again by another process", cells(book::cutOff));
    }

    private String[] cells(ToLongFunction<String> cell) {
        return plan.customers().stream()
                .map(customer -> whole(cell.applyAsLong(customer)))
                .toArray(String[]::new);
    }

    String finding(Result result) {
        OrderBook book = result.book();
        if (!isOver(result)
                || book.outOfTurn() > 0
                || result.kills() < plan.deaths().size()) {
            return "This run does not show what the lease is for: not every order came to its end in its turn,\n"
                    + "or too few workers were killed. Something else may keep this machine or the store busy.";
        }
        String text = """
                %d processes were killed and cut off %s attempts. Still each order ended once and in its turn:
                %s were done, %s was parked. What a dead process held was taken up by another when its lease
                was over; its fence is greater, so that a late word of the dead one counts no more.""";
        return String.format(
                Locale.ROOT, text, result.kills(), whole(book.cutOff()), whole(book.done()), whole(book.parked()));
    }
}

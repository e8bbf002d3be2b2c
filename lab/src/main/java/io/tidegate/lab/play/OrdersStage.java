package io.tidegate.lab.play;

import static io.tidegate.lab.play.MembersStage.row;

import io.tidegate.Registry;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.Crew;
import io.tidegate.lab.orders.OrderBook;
import io.tidegate.lab.orders.OrderFeed;
import io.tidegate.lab.orders.OrderPlan;
import io.tidegate.lab.orders.Store;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Orders that are worked off in order for each customer, by workers that can be killed. */
final class OrdersStage implements Stage {
    static final String NAME = "orders";

    /* The plan's own number of orders lasts for seconds. This number lasts for most of an hour. */
    private static final int ORDERS = 10_000;

    private final OrderPlan plan = longPlan();
    private final OrderBook book = new OrderBook();
    private final Crew crew;
    private final OrderFeed feed;
    private final Time time;
    private final long start;

    /**
     * While a worker is to be killed in the middle of an order: how many attempts were cut off before. Otherwise
     * negative.
     */
    private volatile long killsBeyond = -1;

    OrdersStage(Store store, Registry registry, Time time) throws IOException {
        this.crew = Crew.start(store, plan, book, registry);
        this.feed = new OrderFeed(plan, crew);
        this.time = time;
        this.start = time.nanos();
    }

    private static OrderPlan longPlan() {
        OrderPlan usual = OrderPlan.DEFAULT;
        return new OrderPlan(
                usual.customers(),
                ORDERS,
                usual.every(),
                usual.work(),
                usual.poison(),
                usual.maxRetries(),
                usual.firstDelay(),
                List.of(),
                usual.restart(),
                usual.patience());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Orders, in order for each customer";
    }

    @Override
    public void tick() {
        crew.replaceDead();
        feed.handIn(time.nanos() - start);
        boolean anyAtWork =
                crew.members().stream().anyMatch(member -> member.state().equals(Crew.AT_WORK));
        if (killsBeyond >= 0 && anyAtWork) {
            crew.kill();
            killsBeyond = book.cutOff() > killsBeyond ? -1 : killsBeyond;
        }
    }

    /** Makes a worker die as soon as one is in the middle of an order. */
    void killAtWork() {
        killsBeyond = book.cutOff();
    }

    OrderBook book() {
        return book;
    }

    @Override
    public List<Lane> lanes() {
        return List.of();
    }

    @Override
    public Map<String, Object> more() {
        return Map.of(
                "rows",
                List.of(
                        row("Orders done", book.done()),
                        row("Orders parked", book.parked()),
                        row("Attempts cut off by a death", book.cutOff()),
                        row("Orders out of turn, or twice", book.outOfTurn())),
                "workers",
                crew.members().stream()
                        .map(member -> Map.of("name", member.name(), "state", member.state()))
                        .toList(),
                "customers",
                plan.customers().stream()
                        .map(customer -> Map.of("name", customer, "ended", book.ended(customer)))
                        .toList());
    }

    @Override
    public boolean canKill() {
        return true;
    }

    @Override
    public String kill() {
        String killed = crew.kill();
        if (killed.isEmpty()) {
            throw new IllegalArgumentException("kill: nobody (expected: a worker that lives; another one starts soon)");
        }
        return killed;
    }

    @Override
    public void close() {
        crew.close();
    }
}

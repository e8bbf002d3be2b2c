package io.tidegate.lab.orders;

import java.util.HashMap;
import java.util.Map;

/** Hands a crew the orders of each customer, one after the other, each again until it is taken. For one thread. */
public final class OrderFeed {
    private final OrderPlan plan;
    private final Crew crew;
    private final Map<String, Long> taken = new HashMap<>();

    /** Hands in the orders of a plan's customers. */
    public OrderFeed(OrderPlan plan, Crew crew) {
        this.plan = plan;
        this.crew = crew;
    }

    /** Hands in the orders that are due at this time after the start, as far as workers take them. */
    public void handIn(long elapsedNanos) {
        long due = 1 + elapsedNanos / plan.every().toNanos();
        for (String customer : plan.customers()) {
            long next = taken(customer) + 1;
            while (next <= Math.min(due, plan.orders()) && crew.offer(customer, next)) {
                taken.put(customer, next++);
            }
        }
    }

    /** Returns how many orders of a customer the leases have been given. */
    public long taken(String customer) {
        return taken.getOrDefault(customer, 0L);
    }
}

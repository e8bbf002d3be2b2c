package io.tidegate.lab.orders;

import java.time.Duration;
import java.util.List;

/**
 * Orders of some customers, and a worker that dies now and then. Orders are counted from 1.
 *
 * @param customers who orders
 * @param orders how many each of them sends
 * @param every the time between two orders of a customer
 * @param work how long the worker takes for one
 * @param poison the order of the second customer that never succeeds
 * @param maxRetries how often an order is tried again
 * @param firstDelay the longest delay after the first failure
 * @param deaths when the worker dies: in the middle of the next order that it works on
 * @param restart how long until there is another worker
 * @param patience how long to wait for the end after the last order was sent
 */
public record OrderPlan(
        List<String> customers,
        int orders,
        Duration every,
        Duration work,
        int poison,
        int maxRetries,
        Duration firstDelay,
        List<Duration> deaths,
        Duration restart,
        Duration patience) {
    /** The plan that the lab shows. */
    public static final OrderPlan DEFAULT = new OrderPlan(
            List.of("Ada", "Bob", "Cleo", "Dan"),
            16,
            Duration.ofMillis(300),
            Duration.ofMillis(200),
            6,
            3,
            Duration.ofMillis(200),
            List.of(Duration.ofMillis(1_000), Duration.ofMillis(2_300), Duration.ofMillis(3_900)),
            Duration.ofMillis(300),
            Duration.ofSeconds(20));

    private static final int FLAKY = 5;

    /** One of so many orders fails at its first attempt, for each customer another one. */
    private boolean isFlaky(String customer, long order) {
        return (order + customers.indexOf(customer)) % FLAKY == 0;
    }

    boolean isPoison(String customer, long order) {
        return order == poison && customers.indexOf(customer) == 1;
    }

    boolean fails(String customer, long order, int retryCount) {
        return isPoison(customer, order) || (isFlaky(customer, order) && retryCount == 0);
    }

    int total() {
        return customers.size() * orders;
    }

    /** About how long the plan takes. */
    Duration length() {
        return every.multipliedBy(orders).plus(Duration.ofSeconds(3));
    }
}

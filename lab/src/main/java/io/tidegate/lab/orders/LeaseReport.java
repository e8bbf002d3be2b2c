package io.tidegate.lab.orders;

import static io.tidegate.lab.print.Numbers.millis;
import static io.tidegate.lab.print.Numbers.whole;
import static java.util.stream.Collectors.joining;

import io.tidegate.lab.orders.LeaseScene.Result;
import io.tidegate.lab.orders.OrderLog.Attempt;
import io.tidegate.lab.orders.OrderLog.End;
import io.tidegate.lab.print.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Explains the lease scene and reports its results. */
record LeaseReport(OrderPlan plan) {
    String opening() {
        return String.format(
                Locale.ROOT,
                """
                %d customers send an order each every %s, %d in all; a worker takes %s for one. A WorkLease
                gives the orders of a customer out one at a time, in the order in which they came. A LeaseRunner
                works on them, on all customers at once. Some orders fail at first and are tried again after a
                pause of up to %s, then twice that; order %d of %s always fails, and is parked after %d retries.
                %d times the worker dies in the middle of an order. Another one follows after %s, on the same
                leases; the last message of each customer was not acknowledged and comes again.
                """,
                plan.customers().size(),
                millis(plan.every()),
                plan.total(),
                millis(plan.work()),
                millis(plan.firstDelay()),
                plan.poison(),
                plan.customers().get(1),
                plan.maxRetries(),
                plan.deaths().size(),
                millis(plan.restart()));
    }

    Table table(Result result) {
        OrderLog log = result.log();
        return new Table(plan.customers().toArray(String[]::new))
                .row("orders sent", cells(customer -> whole(plan.orders())))
                .row("orders done", counts(log, End.DONE))
                .row("orders parked", counts(log, End.PARKED))
                .row("attempts", cells(customer -> whole(log.attempts(customer).size())))
                .row("  failed, tried again later", counts(log, End.FAILED))
                .row("  cut off by a death, run again by the next worker", counts(log, End.CUT_OFF));
    }

    /** Lists every attempt. */
    String history(OrderLog log) {
        int width = plan.customers().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text =
                new StringBuilder("what ran, from left to right: x failed, ~ cut off by a death, ! parked\n");
        for (String customer : plan.customers()) {
            text.append(customer)
                    .append(" ".repeat(width - customer.length() + 2))
                    .append(attempts(log.attempts(customer)))
                    .append('\n');
        }
        return text.toString();
    }

    private static String attempts(List<Attempt> attempts) {
        return attempts.stream()
                .map(attempt -> attempt.order() + mark(attempt.end()))
                .collect(joining(" "));
    }

    private static String mark(End end) {
        return switch (end) {
            case DONE -> "";
            case FAILED -> "x";
            case CUT_OFF -> "~";
            case PARKED -> "!";
            case RUNNING -> "?";
        };
    }

    String finding(Result result) {
        OrderLog log = result.log();
        if (!isShown(result)) {
            return """
                    This run does not show what the lease is for: the workers did not die in the middle of orders,
                    or not every order came to its end in its turn. Something else may keep this machine busy; try
                    again when it is idle.""";
        }
        return String.format(
                Locale.ROOT,
                """
                %d workers died and cut off %s attempts; %d messages came twice. Still each order ended once: %s
                were done, %s was parked. No order began before the one before it had ended, and no two of a
                customer ran at once. %s attempts failed and were made again, each in its place; nobody but
                that customer waited for them. What was cut off ran again, so work must bear to be done twice.""",
                result.deaths(),
                whole(log.count(End.CUT_OFF)),
                result.cameAgain(),
                whole(log.count(End.DONE)),
                whole(log.count(End.PARKED)),
                whole(log.count(End.FAILED)));
    }

    private boolean isShown(Result result) {
        OrderLog log = result.log();
        boolean died = result.deaths() == plan.deaths().size() && log.count(End.CUT_OFF) >= result.deaths();
        boolean ended = log.count(End.DONE) == plan.total() - 1 && log.count(End.PARKED) == 1;
        return died && ended && log.overlaps() == 0 && log.outOfTurn() == 0;
    }

    private String[] cells(Function<String, String> cell) {
        return plan.customers().stream().map(cell).toArray(String[]::new);
    }

    private String[] counts(OrderLog log, End end) {
        return cells(customer -> whole(log.count(customer, end)));
    }
}

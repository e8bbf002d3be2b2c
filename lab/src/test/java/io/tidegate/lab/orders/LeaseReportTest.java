package io.tidegate.lab.orders;

import static io.tidegate.lab.orders.OrderLogTest.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.orders.LeaseScene.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseReportTest {
    private static final OrderPlan PLAN = new OrderPlan(
            List.of("Ada", "Bob"),
            2,
            Duration.ofMillis(10),
            Duration.ofMillis(10),
            1,
            1,
            Duration.ofMillis(10),
            List.of(Duration.ZERO),
            Duration.ZERO,
            Duration.ofSeconds(1));

    private final LeaseReport report = new LeaseReport(PLAN);
    private final OrderLog log = new OrderLog();

    /* Ada's first order is cut off, Bob's is poison. */
    private Result played() {
        log.onStarted(order("Ada", 1));
        log.died();
        done("Ada", 1);
        log.onStarted(order("Bob", 1));
        log.onRetryScheduled(order("Bob", 1), new Exception(), Duration.ZERO);
        log.onStarted(order("Bob", 1));
        log.onParked(order("Bob", 1), new Exception());
        done("Bob", 2);
        return new Result(log, 1, 2);
    }

    private void done(String customer, long order) {
        log.onStarted(order(customer, order));
        log.onSucceeded(order(customer, order));
    }

    @Test
    void finding_allEnded_statesTheNumbers() {
        Result result = played();
        done("Ada", 2);

        assertThat(report.finding(result))
                .contains(
                        "1 workers died and cut off 1 attempts", "2 messages came twice", "3\nwere done, 1 was parked");
    }

    @Test
    void finding_orderMissing_saysSo() {
        assertThat(report.finding(played())).startsWith("This run does not show");
    }

    @Test
    void finding_outOfTurn_saysSo() {
        done("Ada", 2);
        done("Ada", 1);

        assertThat(report.finding(played())).startsWith("This run does not show");
    }

    @Test
    void finding_nobodyDied_saysSo() {
        Result result = played();
        done("Ada", 2);

        assertThat(report.finding(new Result(result.log(), 0, 0))).startsWith("This run does not show");
    }

    @Test
    void history_everyAttempt_isListedWithItsEnd() {
        assertThat(report.history(played().log())).contains("Ada  1~ 1\n", "Bob  1x 1! 2\n");
    }

    @Test
    void table_customersSideBySide() {
        assertThat(report.table(played()).render().lines())
                .anyMatch(line -> line.matches("orders done +1 +1"))
                .anyMatch(line -> line.matches("orders parked +0 +1"))
                .anyMatch(line -> line.matches("attempts +2 +3"))
                .anyMatch(line -> line.matches("  failed, tried again later +0 +1"))
                .anyMatch(line -> line.matches("  cut off .* +1 +0"));
    }

    @Test
    void everyText_fitsIn100Columns() {
        LeaseReport usual = new LeaseReport(OrderPlan.DEFAULT);
        Result result = played();
        String all = usual.opening() + usual.table(result) + report.finding(result);
        done("Ada", 2);

        assertThat((all + "\n" + report.finding(result)).lines()).allMatch(line -> line.length() <= 100);
    }
}

package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.orders.OrderLog.Attempt;
import io.tidegate.lab.orders.OrderLog.End;
import io.tidegate.lease.LeasedWork;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OrderLogTest {
    private final OrderLog log = new OrderLog();

    static LeasedWork order(String customer, long order) {
        return new LeasedWork(customer, order, "token", order, 0);
    }

    @Test
    void attempts_everyEnd_areWrittenDownInOrder() {
        log.onStarted(order("Ada", 1));
        log.onRetryScheduled(order("Ada", 1), new Exception(), Duration.ZERO);
        log.onStarted(order("Ada", 1));
        log.died();
        log.onStarted(order("Ada", 1));
        log.onSucceeded(order("Ada", 1));
        log.onStarted(order("Ada", 2));
        log.onParked(order("Ada", 2), new Exception());
        log.onStarted(order("Bob", 1));
        log.onStarted(order("Ada", 3));

        assertThat(log.attempts("Ada"))
                .containsExactly(
                        new Attempt(1, End.FAILED),
                        new Attempt(1, End.CUT_OFF),
                        new Attempt(1, End.DONE),
                        new Attempt(2, End.PARKED),
                        new Attempt(3, End.RUNNING));
        assertThat(log.count("Ada", End.RUNNING)).isEqualTo(1);
        assertThat(log.count(End.RUNNING)).isEqualTo(2);
        assertThat(log.overlaps()).isZero();
        assertThat(log.outOfTurn()).isZero();
    }

    @Test
    void overlaps_twoOfACustomerAtOnce_areCounted() {
        log.onStarted(order("Ada", 1));
        log.onStarted(order("Ada", 1));

        assertThat(log.overlaps()).isEqualTo(1);
    }

    @Test
    void outOfTurn_laterOrEndedOrder_isCounted() {
        log.onStarted(order("Ada", 2));
        assertThat(log.outOfTurn()).isEqualTo(1);

        log.onStarted(order("Bob", 1));
        log.onSucceeded(order("Bob", 1));
        log.onStarted(order("Bob", 1));
        assertThat(log.outOfTurn()).isEqualTo(2);
    }
}

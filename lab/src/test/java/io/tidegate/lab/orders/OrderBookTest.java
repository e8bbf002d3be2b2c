package io.tidegate.lab.orders;

import static io.tidegate.lab.orders.OrderBook.Event.PARKED;
import static io.tidegate.lab.orders.OrderBook.Event.RETRIED;
import static io.tidegate.lab.orders.OrderBook.Event.STARTED;
import static io.tidegate.lab.orders.OrderBook.Event.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OrderBookTest {
    private final OrderBook book = new OrderBook();

    @Test
    void record_reportsOfTwoWorkersOutOfOrder_fenceShowsWhichWasFirst() {
        book.record("worker-2", STARTED, "Ada", 2, 8);
        book.record("worker-2", SUCCEEDED, "Ada", 2, 8);
        book.record("worker-1", STARTED, "Ada", 1, 7);
        book.record("worker-1", SUCCEEDED, "Ada", 1, 7);

        assertThat(book.outOfTurn()).isZero();
        assertThat(book.done()).isEqualTo(2);
    }

    @Test
    void outOfTurn_orderTwiceOrTooEarly_isCounted() {
        book.record("worker-1", SUCCEEDED, "Ada", 2, 1);
        book.record("worker-1", SUCCEEDED, "Ada", 1, 2);
        book.record("worker-1", SUCCEEDED, "Bob", 1, 1);
        book.record("worker-2", SUCCEEDED, "Bob", 1, 2);

        assertThat(book.outOfTurn()).isEqualTo(2);
    }

    @Test
    void outOfTurn_orderWhoseEndWasNotReported_isNotCounted() {
        book.record("worker-1", STARTED, "Ada", 1, 1);
        book.died("worker-1");
        book.record("worker-2", STARTED, "Ada", 2, 2);
        book.record("worker-2", SUCCEEDED, "Ada", 2, 2);

        assertThat(book.outOfTurn()).isZero();
    }

    @Test
    void died_runningOrder_isCutOff() {
        book.record("worker-1", STARTED, "Ada", 1, 1);
        book.record("worker-1", RETRIED, "Ada", 1, 1);
        book.record("worker-1", STARTED, "Ada", 1, 1);
        book.record("worker-2", STARTED, "Bob", 1, 1);
        assertThat(book.isRunning("worker-1")).isTrue();

        book.died("worker-1");

        assertThat(book.isRunning("worker-1")).isFalse();
        assertThat(book.isRunning("worker-2")).isTrue();
        assertThat(book.cutOff()).isEqualTo(1);
        assertThat(book.ended("Ada")).isZero();
    }

    @Test
    void ended_doneAndParked_bothCount() {
        book.record("worker-1", SUCCEEDED, "Ada", 1, 1);
        book.record("worker-1", PARKED, "Ada", 2, 2);

        assertThat(book.ended("Ada")).isEqualTo(2);
        assertThat(book.parked()).isEqualTo(1);
    }
}

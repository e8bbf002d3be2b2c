package io.tidegate.lease.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.LeasedWork;
import org.junit.jupiter.api.Test;

/** The faults that the run log must find. */
class RunLogTest {
    private final RunLog log = new RunLog();

    private static LeasedWork work(long offset) {
        return new LeasedWork("A", offset, "token", offset, 0);
    }

    RunLogTest() {
        log.arrived("A", 5);
        log.arrived("A", 3);
    }

    @Test
    void inOrderWithRetriesAndACrash_isFine() {
        log.began(work(5));
        log.ended(work(5));
        log.began(work(5));
        log.crashed();
        log.began(work(5));
        log.ended(work(5));
        log.parked(work(5));
        log.began(work(3));
        log.ended(work(3));
        log.succeeded(work(3));
        assertThat(log.undone()).isZero();

        log.replayed("A", 5);
        assertThat(log.undone()).isEqualTo(1);
        log.began(work(5));

        assertThat(log.breaches()).isEmpty();
    }

    @Test
    void outOfOrder_isFound() {
        log.began(work(3));

        assertThat(log.breaches()).singleElement().asString().contains("offset 3", "turn of 5");
    }

    @Test
    void overlap_isFound() {
        log.began(work(5));
        log.began(work(5));

        assertThat(log.breaches()).singleElement().asString().contains("while 5 runs");
    }

    @Test
    void again_isFound() {
        log.began(work(5));
        log.ended(work(5));
        log.succeeded(work(5));
        log.began(work(5));

        assertThat(log.breaches()).singleElement().asString().contains("turn of 3");
    }

    @Test
    void doneTwice_isFound() {
        log.succeeded(work(5));
        log.parked(work(5));

        assertThat(log.breaches()).singleElement().asString().contains("done twice");
    }
}

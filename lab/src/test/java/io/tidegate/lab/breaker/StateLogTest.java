package io.tidegate.lab.breaker;

import static io.tidegate.breaker.State.CLOSED;
import static io.tidegate.breaker.State.HALF_OPEN;
import static io.tidegate.breaker.State.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.State;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateLogTest {
    private Duration now = Duration.ZERO;
    private final StateLog log = new StateLog(() -> now);

    @Test
    void log_noChange_isClosedThroughout() {
        assertThat(log.during(Duration.ZERO, Duration.ofDays(1))).containsExactly(CLOSED);
        assertThat(log.opened()).isEmpty();
        assertThat(log.closedAgain()).isEmpty();
    }

    @Test
    void during_changesInside_hasEveryStateOfThatTime() {
        change(100, OPEN);
        change(200, HALF_OPEN);
        change(210, CLOSED);

        assertThat(during(0, 100)).containsExactly(CLOSED);
        assertThat(during(100, 200)).containsExactly(OPEN);
        assertThat(during(150, 205)).containsExactlyInAnyOrder(OPEN, HALF_OPEN);
        assertThat(during(200, 300)).containsExactlyInAnyOrder(HALF_OPEN, CLOSED);
        assertThat(during(300, 400)).containsExactly(CLOSED);
    }

    @Test
    void opened_twice_isTheFirstTime() {
        change(100, OPEN);
        change(200, HALF_OPEN);
        change(300, OPEN);

        assertThat(log.opened()).contains(Duration.ofMillis(100));
        assertThat(log.closedAgain()).isEmpty();
    }

    @Test
    void closedAgain_closedAtTheEnd_isTheLastTime() {
        change(100, OPEN);
        change(200, HALF_OPEN);
        change(300, CLOSED);

        assertThat(log.closedAgain()).contains(Duration.ofMillis(300));
    }

    private void change(long millis, State to) {
        now = Duration.ofMillis(millis);
        log.onStateChange("lab", CLOSED, to);
    }

    private Set<State> during(long from, long to) {
        return log.during(Duration.ofMillis(from), Duration.ofMillis(to));
    }
}

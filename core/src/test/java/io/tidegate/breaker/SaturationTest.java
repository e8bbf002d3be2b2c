package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counters at the end of their range. Counting that far would take too long, so the tests set them by reflection. */
class SaturationTest extends BreakerTest {
    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    static OutcomeWindow window(CircuitBreaker breaker) throws ReflectiveOperationException {
        return ((Period) field(PeriodBreaker.class, "period").get(breaker)).window();
    }

    @Test
    @DisplayName("CB-13 a run of failures longer than its counter saturates, and the breaker still trips")
    void consecutiveFailures_atTheirEnd_saturate() throws ReflectiveOperationException {
        CircuitBreaker breaker = made(tough());
        field(OutcomeWindow.class, "run").setLong(window(breaker), Integer.MAX_VALUE - 1);
        field(TumblingWindow.class, "failures").setLong(window(breaker), Integer.MAX_VALUE - 1);

        fail(breaker, 5);
        assertThat(breaker.counts().consecutiveFailures()).isGreaterThanOrEqualTo(Integer.MAX_VALUE);
        assertThat(breaker.counts().totalFailures()).isEqualTo(Integer.MAX_VALUE + 4L);
        breaker.update(change -> change.failureRate(0.5, Integer.MAX_VALUE));
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-13 a success ends a run that has saturated")
    void consecutiveFailures_saturated_endWithSuccess() throws ReflectiveOperationException {
        CircuitBreaker breaker = made(builder());
        field(OutcomeWindow.class, "run").setLong(window(breaker), Integer.MAX_VALUE);

        succeed(breaker);
        fail(breaker, 5);

        assertThat(breaker.counts().consecutiveFailures()).isEqualTo(5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName(
            "CB-13 CB-19 a window by time counts as far as there are nanoseconds in it, and the breaker still trips")
    void windowByTime_outcomeEachNano_countsAll() throws ReflectiveOperationException {
        Duration span = Duration.ofHours(1);
        CircuitBreaker breaker = made(tough().slidingWindow(span));
        long[] row = (long[]) field(LastSpan.class, "failures").get(window(breaker));
        row[OutcomeWindow.SUCCESSES] = span.toNanos() - 5;

        fail(breaker, 5);
        assertThat(breaker.counts().totalFailures()).isEqualTo(span.toNanos());
        breaker.update(change -> change.failureRate(0.5, Integer.MAX_VALUE));
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-12 CB-13 more intervals than their counter holds: failures in a row still count")
    void intervals_beyondTheirCounter_stillTrip() throws ReflectiveOperationException {
        CircuitBreaker breaker = made(builder().interval(Duration.ofSeconds(10)));
        Field zero = field(TumblingWindow.class, "zero");
        Constructor<?> constructor = zero.getType().getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        zero.set(window(breaker), constructor.newInstance(Integer.MAX_VALUE, 0, 0, 0, 0));
        fail(breaker, 5);
        ticker.advance(Duration.ofSeconds(10));

        fail(breaker, 5);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        fail(breaker);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }
}

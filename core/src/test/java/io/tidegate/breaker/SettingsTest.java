package io.tidegate.breaker;

import static io.tidegate.breaker.ExpectedMetrics.metrics;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest extends BreakerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    static Stream<Arguments> badSettings() {
        return Stream.of(
                bad("maxRequests", 0, builder -> builder.maxRequests(0)),
                bad("maxRequests", 65, builder -> builder.maxRequests(65)),
                bad("maxRequests", Integer.MIN_VALUE, builder -> builder.maxRequests(Integer.MIN_VALUE)),
                bad("successesToClose", 0, builder -> builder.successesToClose(0)),
                bad("successesToClose", -1, builder -> builder.successesToClose(-1)),
                bad("timeout", Duration.ZERO, builder -> builder.timeout(Duration.ZERO)),
                bad("timeout", NANO.negated(), builder -> builder.timeout(NANO.negated())),
                bad("probeTimeout", Duration.ZERO, builder -> builder.probeTimeout(Duration.ZERO)),
                bad("probeTimeout", NANO.negated(), builder -> builder.probeTimeout(NANO.negated())),
                bad("interval", NANO.negated(), builder -> builder.interval(NANO.negated())),
                bad("interval", FOREVER.negated(), builder -> builder.interval(FOREVER.negated())),
                bad("[A-Za-z]+", 0.0, builder -> builder.failureRate(0, 1)),
                bad("[A-Za-z]+", 1.1, builder -> builder.failureRate(1.1, 1)),
                bad("[A-Za-z]+", -0.1, builder -> builder.failureRate(-0.1, 1)),
                bad("[A-Za-z]+", Double.NaN, builder -> builder.failureRate(Double.NaN, 1)),
                bad("[A-Za-z]+", Double.POSITIVE_INFINITY, builder -> builder.failureRate(1.0 / 0, 1)),
                bad("minimumObservations", 0, builder -> builder.failureRate(0.5, 0)),
                bad("slidingWindow", 0, builder -> builder.slidingWindow(0)),
                bad("slidingWindow", -5, builder -> builder.slidingWindow(-5)),
                bad("slidingWindow", Duration.ZERO, builder -> builder.slidingWindow(Duration.ZERO)),
                bad("slidingWindow", SECOND.negated(), builder -> builder.slidingWindow(SECOND.negated())),
                bad("[A-Za-z]+", 0.0, builder -> builder.slowCalls(SECOND, 0)),
                bad("[A-Za-z]+", 1.1, builder -> builder.slowCalls(SECOND, 1.1)),
                bad("[A-Za-z]+", Double.NaN, builder -> builder.slowCalls(SECOND, Double.NaN)),
                bad("[A-Za-z]+", SECOND.negated(), builder -> builder.slowCalls(SECOND.negated(), 0.5)),
                bad("[A-Za-z]+", 0.99, builder -> builder.openBackoff(0.99, SECOND)),
                bad("[A-Za-z]+", -2.0, builder -> builder.openBackoff(-2, SECOND)),
                bad("[A-Za-z]+", Double.NaN, builder -> builder.openBackoff(Double.NaN, SECOND)),
                bad("[A-Za-z]+", Duration.ZERO, builder -> builder.openBackoff(2, Duration.ZERO)));
    }

    private static Arguments bad(String name, Object value, Consumer<CircuitBreaker.Builder> setter) {
        return Arguments.of(name, value, setter);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("badSettings")
    @DisplayName("CB-1 a bad setting is refused by its setter, which names setting, value and range")
    void setter_badValue_throws(String name, Object value, Consumer<CircuitBreaker.Builder> setter) {
        CircuitBreaker.Builder builder = CircuitBreaker.builder("search");

        assertThatThrownBy(() -> setter.accept(builder))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(name + ": " + Pattern.quote(value.toString()) + " \\(expected: .+\\)");
        assertThat(builder.build().diagnostics())
                .isEqualTo(CircuitBreaker.of("search").diagnostics());
    }

    static Stream<Consumer<CircuitBreaker.Builder>> edgeSettings() {
        return Stream.of(
                builder -> builder.maxRequests(1),
                builder -> builder.maxRequests(64),
                builder -> builder.successesToClose(1),
                builder -> builder.successesToClose(Integer.MAX_VALUE),
                builder -> builder.timeout(NANO),
                builder -> builder.timeout(FOREVER),
                builder -> builder.probeTimeout(NANO),
                builder -> builder.probeTimeout(FOREVER),
                builder -> builder.interval(Duration.ZERO),
                builder -> builder.interval(NANO),
                builder -> builder.interval(FOREVER),
                builder -> builder.failureRate(Double.MIN_VALUE, 1),
                builder -> builder.failureRate(Math.nextDown(1.0), Integer.MAX_VALUE),
                builder -> builder.failureRate(1, 1),
                builder -> builder.failureRate(1, 3).slidingWindow(3),
                builder -> builder.slidingWindow(1),
                builder -> builder.slidingWindow(NANO),
                builder -> builder.slidingWindow(FOREVER),
                builder -> builder.slowCalls(NANO, Double.MIN_VALUE),
                builder -> builder.slowCalls(FOREVER, Math.nextDown(1.0)),
                builder -> builder.slowCalls(NANO, 1),
                builder -> builder.openBackoff(1, NANO),
                builder -> builder.openBackoff(Double.MAX_VALUE, FOREVER));
    }

    @ParameterizedTest
    @MethodSource("edgeSettings")
    @DisplayName("CB-1 the values at the edge of their range work")
    void setter_edgeValue_works(Consumer<CircuitBreaker.Builder> setter) {
        CircuitBreaker.Builder builder = builder();
        setter.accept(builder);
        CircuitBreaker breaker = made(builder);

        succeed(breaker, 2);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.counts().requests()).isPositive();
    }

    @Test
    @DisplayName("CB-1 null is misuse, and a blank name too")
    void builder_nullOrBlank_throws() {
        CircuitBreaker.Builder builder = CircuitBreaker.builder("search");

        assertThatThrownBy(() -> CircuitBreaker.of(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> CircuitBreaker.of(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("name: .+ \\(expected: .+\\)");
        assertThatThrownBy(() -> builder.timeout(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.readyToTrip(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.isSuccessful(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.ignore(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.failsOn(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.failsOnResult(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.onTransition(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.onStateChange(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.ticker(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @DisplayName("CB-1 CB-20 the defaults: one probe, one success, no interval, 60 s open")
    void of_name_hasDefaults() {
        CircuitBreaker breaker = CircuitBreaker.of("search");

        assertThat(breaker.name()).isEqualTo("search");
        assertThat(breaker.diagnostics())
                .isEqualTo(new Diagnostics(
                        State.CLOSED, false, Duration.ZERO, 0, Duration.ofSeconds(60), Duration.ZERO, 1, 1));
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        assertThat(breaker.metrics())
                .isEqualTo(metrics(State.CLOSED, 0, NOTHING).made());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CB-1 successesToClose is maxRequests unless set, whichever is given first")
    void successesToClose_unset_isMaxRequests(boolean limitFirst) {
        CircuitBreaker.Builder set = limitFirst
                ? builder().maxRequests(5).successesToClose(2)
                : builder().successesToClose(2).maxRequests(5);

        assertThat(made(set).diagnostics().successesToClose()).isEqualTo(2);
        assertThat(made(builder().maxRequests(5)).diagnostics().successesToClose())
                .isEqualTo(5);
    }

    @Test
    @DisplayName("CB-1 a builder used again makes breakers that share nothing")
    void build_twice_sharesNothing() {
        CircuitBreaker.Builder builder = brittle();
        CircuitBreaker first = made(builder);
        CircuitBreaker second = made(builder.maxRequests(2));

        open(first);

        assertThat(second.state()).isEqualTo(State.CLOSED);
        assertThat(second.counts()).isEqualTo(NOTHING);
        assertThat(first.diagnostics().maxRequests()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CB-22 a minimum above the size of the window is refused by build, in any order, with the reason")
    void build_minimumAboveWindow_throws(boolean rateFirst) {
        CircuitBreaker.Builder builder = rateFirst
                ? builder().failureRate(0.5, 100).slidingWindow(10)
                : builder().slidingWindow(10).failureRate(0.5, 100);

        assertThatThrownBy(builder::build)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("minimumObservations: 100 \\(expected: <= 10, the size of the sliding window.*\\)");
        assertThatThrownBy(builder.slowCalls(SECOND, 0.5)::build).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(builder.readyToTrip(counts -> true)::build).isInstanceOf(IllegalArgumentException.class);
        CircuitBreaker mended = made(builder.failureRate(0.5, 10));
        fail(mended);
        assertThat(mended.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName("CB-22 CB-17 update refuses a minimum above the size of the window, and changes nothing")
    void update_minimumAboveWindow_throws() {
        CircuitBreaker breaker = made(builder().slidingWindow(10).failureRate(0.5, 10));

        assertThatThrownBy(() -> breaker.update(
                        change -> change.timeout(SECOND).failureRate(0.5, 11).maxRequests(3)))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("minimumObservations: 11 \\(expected: <= 10, .+\\)");

        assertThat(breaker.diagnostics().timeout()).isEqualTo(TIMEOUT);
        assertThat(breaker.diagnostics().maxRequests()).isEqualTo(1);
        fail(breaker, 10);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    @DisplayName(
            "CB-22 what can trip is not refused: any rate and minimum up to the window, windows by time, own rules")
    void build_canTrip_isNotRefused() {
        for (double rate : new double[] {Double.MIN_VALUE, 0.5, Math.nextDown(1.0), 1}) {
            for (int size : new int[] {1, 2, 7}) {
                CircuitBreaker breaker = made(builder().failureRate(rate, size).slidingWindow(size));
                fail(breaker, size);
                assertThat(breaker.state()).as("%s of %s", rate, size).isEqualTo(State.OPEN);
            }
        }
        made(builder().failureRate(0.5, 1_000_000).slidingWindow(NANO));
        made(builder().failureRate(0.5, 1_000_000).interval(NANO));
        made(tough().slidingWindow(3));
        made(builder().slidingWindow(3));
    }

    @Test
    @DisplayName("CB-1 a setter that refuses one of its values keeps what it was given before")
    void setter_oneBadValue_changesNothing() {
        CircuitBreaker.Builder builder = builder()
                .slowCalls(SECOND, 0.5)
                .failureRate(0.9, 2)
                .timeout(SECOND)
                .openBackoff(2, Duration.ofSeconds(4));
        assertThatThrownBy(() -> builder.slowCalls(Duration.ZERO, 0.9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.slowCalls(NANO, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.failureRate(0.1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.failureRate(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.openBackoff(8, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.openBackoff(0, SECOND)).isInstanceOf(IllegalArgumentException.class);
        CircuitBreaker breaker = made(builder);

        succeed(breaker);
        fail(breaker);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        for (int i = 0; i < 3; i++) {
            long slow = begin(breaker);
            ticker.advance(SECOND.plusMillis(1));
            breaker.onSuccess(slow);
        }
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.diagnostics().timeout()).isEqualTo(SECOND);
        ticker.advance(SECOND);
        breaker.onFailure(probe(breaker), FAILURE);
        assertThat(breaker.diagnostics().timeout()).isEqualTo(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10})
    @DisplayName("CB-1 CB-4 a rate of 1 means all of them, of failures and of slow calls")
    void rate_one_meansAll(int minimum) {
        CircuitBreaker allFail = made(builder().failureRate(1, minimum));
        CircuitBreaker someFail = made(builder().failureRate(1, minimum));
        CircuitBreaker allSlow = made(builder().failureRate(1, minimum).slowCalls(SECOND, 1));
        succeed(someFail);
        for (int i = 0; i < minimum; i++) {
            assertThat(allFail.state()).isEqualTo(State.CLOSED);
            assertThat(allFail.diagnostics().oneMoreFailureTrips()).isEqualTo(i == minimum - 1);
            fail(allFail);
            fail(someFail);
            assertThat(allSlow.state()).isEqualTo(State.CLOSED);
            long slow = begin(allSlow);
            ticker.advance(SECOND.plusMillis(1));
            allSlow.onSuccess(slow);
        }

        assertThat(allFail.state()).isEqualTo(State.OPEN);
        assertThat(allSlow.state()).isEqualTo(State.OPEN);
        fail(someFail, 100);
        assertThat(someFail.state()).isEqualTo(State.CLOSED);
        assertThat(someFail.diagnostics().oneMoreFailureTrips()).isFalse();
    }

    @Test
    @DisplayName("CB-1 CB-17 a rate of 1 given by update replaces the default rule")
    void update_rateOne_replacesDefault() {
        CircuitBreaker breaker = made(builder());
        succeed(breaker);

        breaker.update(change -> change.failureRate(1, 1));
        fail(breaker, 100);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}

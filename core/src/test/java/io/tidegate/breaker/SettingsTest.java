package io.tidegate.breaker;

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
                bad("[A-Za-z]+", 1.0, builder -> builder.failureRate(1, 1)),
                bad("[A-Za-z]+", -0.1, builder -> builder.failureRate(-0.1, 1)),
                bad("[A-Za-z]+", Double.NaN, builder -> builder.failureRate(Double.NaN, 1)),
                bad("[A-Za-z]+", Double.POSITIVE_INFINITY, builder -> builder.failureRate(1.0 / 0, 1)),
                bad("minimumObservations", 0, builder -> builder.failureRate(0.5, 0)),
                bad("slidingWindow", 0, builder -> builder.slidingWindow(0)),
                bad("slidingWindow", -5, builder -> builder.slidingWindow(-5)),
                bad("slidingWindow", Duration.ZERO, builder -> builder.slidingWindow(Duration.ZERO)),
                bad("slidingWindow", SECOND.negated(), builder -> builder.slidingWindow(SECOND.negated())),
                bad("[A-Za-z]+", 0.0, builder -> builder.slowCalls(SECOND, 0)),
                bad("[A-Za-z]+", 1.0, builder -> builder.slowCalls(SECOND, 1)),
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
                builder -> builder.slidingWindow(1),
                builder -> builder.slidingWindow(NANO),
                builder -> builder.slidingWindow(FOREVER),
                builder -> builder.slowCalls(NANO, Double.MIN_VALUE),
                builder -> builder.slowCalls(FOREVER, Math.nextDown(1.0)),
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
        assertThat(breaker.metrics()).isEqualTo(new BreakerMetrics(State.CLOSED, 0, NOTHING, 0, 0, 0, 0, 0, 0, 0, 0));
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
}

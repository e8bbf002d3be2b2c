package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransitionTest extends BreakerTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final List<Transition> transitions = new ArrayList<>();

    private Transition last() {
        return transitions.get(transitions.size() - 1);
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName(
            "CB-24 a trip is told with counts and rates that include the failure that caused it, in every window kind")
    void onTransition_trip_tellsCountsOfTheDecision(WindowKind window) {
        ticker.set(1_000);
        CircuitBreaker breaker = made(window.on(builder()).failureRate(0.5, 4).onTransition(transitions::add));
        succeed(breaker);
        long running = begin(breaker);
        fail(breaker, 3);

        assertThat(transitions)
                .containsExactly(new Transition(
                        "search",
                        State.CLOSED,
                        State.OPEN,
                        1,
                        new Counts(5, 1, 3, 0, 3),
                        0.75,
                        0,
                        Transition.Cause.RULE,
                        1_000));
        assertThat(breaker.counts()).isEqualTo(NOTHING);
        breaker.onSuccess(running);
    }

    @Test
    @DisplayName("CB-24 each cause is told, with generation and time")
    void onTransition_eachChange_tellsCause() {
        CircuitBreaker breaker = made(brittle().maxRequests(2).onTransition(transitions::add));
        long probe = halfOpen(breaker);
        assertThat(last())
                .isEqualTo(new Transition(
                        "search",
                        State.OPEN,
                        State.HALF_OPEN,
                        2,
                        NOTHING,
                        0,
                        0,
                        Transition.Cause.TIMEOUT,
                        TIMEOUT.toNanos()));
        breaker.onSuccess(probe(breaker));
        breaker.onFailure(probe, FAILURE);
        assertThat(last().cause()).isEqualTo(Transition.Cause.PROBE_FAILED);
        assertThat(last().counts()).isEqualTo(new Counts(2, 1, 1, 0, 1));
        assertThat(last().failureRate()).isEqualTo(0.5);
        ticker.advance(TIMEOUT);
        succeed(breaker);
        succeed(breaker);
        assertThat(last().cause()).isEqualTo(Transition.Cause.PROBES_SUCCEEDED);
        assertThat(last().counts()).isEqualTo(new Counts(2, 2, 0, 2, 0));
        succeed(breaker);
        breaker.forceOpen();
        assertThat(last().cause()).isEqualTo(Transition.Cause.FORCED);
        assertThat(last().counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
        breaker.disable();
        assertThat(last().cause()).isEqualTo(Transition.Cause.FORCED);
        breaker.reset();
        assertThat(last().cause()).isEqualTo(Transition.Cause.RESET);

        assertThat(last().generation()).isEqualTo(breaker.metrics().generation());
        assertThat(last().tickerNanos()).isEqualTo(ticker.getAsLong());
        assertThat(transitions)
                .extracting(transition -> transition.from() + " -> " + transition.to())
                .containsExactlyElementsOf(told);
    }

    @Test
    @DisplayName("CB-19 CB-24 slow calls that trip, and a slow probe that reopens, are told as that")
    void onTransition_slow_tellsRate() {
        CircuitBreaker breaker =
                made(builder().slowCalls(LIMIT, 0.5).failureRate(0.9, 2).onTransition(transitions::add));
        for (int i = 0; i < 2; i++) {
            long slow = begin(breaker);
            ticker.advance(LIMIT.plusMillis(1));
            breaker.onSuccess(slow);
        }
        assertThat(last().cause()).isEqualTo(Transition.Cause.RULE);
        assertThat(last().failureRate()).isZero();
        assertThat(last().slowCallRate()).isEqualTo(1);
        ticker.advance(TIMEOUT);
        long probe = probe(breaker);
        ticker.advance(LIMIT.plusMillis(1));
        breaker.onSuccess(probe);

        assertThat(last().cause()).isEqualTo(Transition.Cause.PROBE_FAILED);
        assertThat(last().slowCallRate()).isEqualTo(1);
        assertThat(last().counts()).isEqualTo(new Counts(1, 0, 1, 0, 1));
    }

    @Test
    @DisplayName("CB-11 CB-24 all listeners are told, in the order given, after the change, whatever others throw")
    void listeners_several_allAreTold() {
        List<String> seen = new ArrayList<>();
        CircuitBreaker[] breaker = new CircuitBreaker[1];
        breaker[0] = made(brittle()
                .onTransition(transition -> seen.add("first " + breaker[0].state()))
                .onTransition(transition -> {
                    throw sneaky(new StackOverflowError());
                })
                .onStateChange((name, from, to) -> {
                    seen.add("state " + to);
                    throw new IllegalStateException();
                })
                .onStateChange((name, from, to) -> seen.add("again " + to))
                .onTransition(transition -> seen.add("last")));

        open(breaker[0]);

        assertThat(seen).containsExactly("state OPEN", "again OPEN", "first OPEN", "last");
        assertThat(told).containsExactly("CLOSED -> OPEN");
        assertThat(breaker[0].metrics().lost()).isZero();
    }

    @Test
    @DisplayName("CB-18 a reset of a closed breaker is no change of state, and nobody is told")
    void onTransition_closedReset_isNotTold() {
        CircuitBreaker breaker = made(builder().onTransition(transitions::add));

        breaker.reset();

        assertThat(transitions).isEmpty();
        assertThat(told).isEmpty();
    }
}

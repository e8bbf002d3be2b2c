package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerTest extends BreakerTest {
    @Test
    @DisplayName(
            "CB-11 each change is told once, by name, from where to where, after it is visible, with counts cleared")
    void listener_eachChange_isToldAfterIt() {
        List<String> seen = new ArrayList<>();
        CircuitBreaker[] breaker = new CircuitBreaker[1];
        breaker[0] = made(brittle().onStateChange((name, from, to) -> {
            assertThat(breaker[0].state()).isEqualTo(to);
            assertThat(breaker[0].counts().totalFailures()).isZero();
            seen.add(name + " " + from + " " + to);
        }));

        breaker[0].onFailure(halfOpen(breaker[0]), FAILURE);
        ticker.advance(TIMEOUT);
        succeed(breaker[0]);
        breaker[0].forceOpen();
        breaker[0].disable();
        breaker[0].reset();

        assertThat(seen)
                .containsExactly(
                        "search CLOSED OPEN",
                        "search OPEN HALF_OPEN",
                        "search HALF_OPEN OPEN",
                        "search OPEN HALF_OPEN",
                        "search HALF_OPEN CLOSED",
                        "search CLOSED FORCED_OPEN",
                        "search FORCED_OPEN DISABLED",
                        "search DISABLED CLOSED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("CB-11 a listener that throws harms nobody: state, slots and results are as without it")
    void listener_throws_harmsNobody(boolean error) throws Exception {
        CircuitBreaker breaker = made(brittle().onStateChange((name, from, to) -> {
            throw sneaky(error ? new StackOverflowError() : new Exception());
        }));

        assertThat(thrownBy(() -> breaker.execute(() -> {
                    throw FAILURE;
                })))
                .isSameAs(FAILURE);
        ticker.advance(TIMEOUT);
        assertThat(breaker.<String>execute(() -> {
                    assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
                    return "done";
                }))
                .isEqualTo("done");
        breaker.forceOpen();
        breaker.disable();
        breaker.reset();

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(FAILURE.getSuppressed()).isEmpty();
    }

    @Test
    @DisplayName("CB-11 a listener that resets from inside is obeyed, and told of that change too")
    void listener_resets_isObeyed() {
        List<String> seen = new ArrayList<>();
        CircuitBreaker[] breaker = new CircuitBreaker[1];
        breaker[0] = made(brittle().onStateChange((name, from, to) -> {
            seen.add(from + " -> " + to);
            if (to == State.OPEN) {
                breaker[0].reset();
            }
        }));

        fail(breaker[0], 3);

        assertThat(breaker[0].state()).isEqualTo(State.CLOSED);
        assertThat(seen)
                .containsExactly(
                        "CLOSED -> OPEN",
                        "OPEN -> CLOSED",
                        "CLOSED -> OPEN",
                        "OPEN -> CLOSED",
                        "CLOSED -> OPEN",
                        "OPEN -> CLOSED");
    }

    @Test
    @DisplayName("CB-11 a listener's own call sees the new state: refused when open, no slot when half-open")
    void listener_calls_areDecidedByTheNewState() {
        List<String> seen = new ArrayList<>();
        CircuitBreaker[] breaker = new CircuitBreaker[1];
        breaker[0] = made(brittle().onStateChange((name, from, to) -> {
            long stamp = breaker[0].tryAcquire();
            seen.add(to + (stamp > 0 ? " admitted" : " refused"));
            if (stamp > 0) {
                breaker[0].onSuccess(stamp);
            }
        }));

        long probe = halfOpen(breaker[0]);
        breaker[0].onSuccess(probe);

        assertThat(seen).containsExactly("OPEN refused", "HALF_OPEN refused", "CLOSED admitted");
        assertThat(breaker[0].counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
    }

    @Test
    @DisplayName("CB-11 a listener that blocks holds up its own caller and nobody else")
    void listener_blocks_othersGoOn() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CircuitBreaker breaker = made(brittle().onStateChange((name, from, to) -> {
            if (from == State.CLOSED) {
                inside.countDown();
                await(release);
            }
        }));
        Thread tripping = new Thread(() -> fail(breaker));
        tripping.start();
        await(inside);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertRefused(breaker);
        ticker.advance(TIMEOUT);
        breaker.onSuccess(probe(breaker));
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        succeed(breaker);

        release.countDown();
        tripping.join();
        assertThat(breaker.counts()).isEqualTo(new Counts(1, 1, 0, 1, 0));
    }

    @Test
    @DisplayName("CB-11 no lock is held while the listener runs: another thread may change the state meanwhile")
    void listener_otherThreadChangesState_isNotBlocked() throws InterruptedException {
        CircuitBreaker[] breaker = new CircuitBreaker[1];
        List<State> seen = new ArrayList<>();
        breaker[0] = made(brittle().onStateChange((name, from, to) -> {
            if (to == State.OPEN) {
                Thread other = new Thread(breaker[0]::disable);
                other.start();
                join(other);
                seen.add(breaker[0].state());
            }
        }));

        fail(breaker[0]);

        assertThat(seen).containsExactly(State.DISABLED);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(600_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.memory.Allocations;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest extends BreakerTest {
    private static final int CALLS = 200_000;

    private static void assertAllocatesNothing(CircuitBreaker breaker, Consumer<CircuitBreaker> call) {
        assertThat(Allocations.of(CALLS, i -> call.accept(breaker)))
                .as("bytes in %s calls", CALLS)
                .isLessThan(Allocations.SLACK);
    }

    private CircuitBreaker closed(WindowKind window) {
        return made(window.on(builder()).failureRate(0.99, 100));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-16 CB-19 a success allocates nothing, in every window kind")
    void success_allocatesNothing(WindowKind window) {
        assertAllocatesNothing(closed(window), breaker -> breaker.onSuccess(breaker.tryAcquire()));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-16 CB-19 a failure that does not trip allocates nothing, in every window kind")
    void failure_allocatesNothing(WindowKind window) {
        assertAllocatesNothing(closed(window), breaker -> {
            breaker.onSuccess(breaker.tryAcquire());
            breaker.onFailure(breaker.tryAcquire(), FAILURE);
        });
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-19 a window that moves on at every call allocates nothing")
    void mixed_movingOn_allocatesNothing(WindowKind window) {
        CircuitBreaker breaker = closed(window);
        Duration step = Duration.ofMillis(10);

        assertAllocatesNothing(breaker, ignored -> {
            ticker.advance(step);
            breaker.onSuccess(breaker.tryAcquire());
            breaker.onFailure(breaker.tryAcquire(), FAILURE);
        });
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-16 an ignored call allocates nothing, in every window kind")
    void ignored_allocatesNothing(WindowKind window) {
        assertAllocatesNothing(closed(window), breaker -> breaker.onIgnored(breaker.tryAcquire()));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CB-3 execute allocates nothing of its own")
    void execute_allocatesNothing(WindowKind window) {
        assertAllocatesNothing(closed(window), breaker -> {
            try {
                breaker.execute(() -> "done");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    @DisplayName("CB-5 CB-16 an open refusal as a value allocates nothing, forced or not")
    void refusal_open_allocatesNothing() {
        CircuitBreaker open = made(brittle());
        open(open);
        CircuitBreaker forced = made(brittle());
        forced.forceOpen();

        assertAllocatesNothing(open, CircuitBreaker::tryAcquire);
        assertAllocatesNothing(forced, CircuitBreaker::tryAcquire);
    }

    @Test
    @DisplayName("CB-7 CB-16 a half-open refusal as a value, and a probe, allocate nothing")
    void refusal_halfOpen_allocatesNothing() {
        CircuitBreaker full = made(brittle());
        halfOpen(full);
        CircuitBreaker probing = made(brittle().successesToClose(Integer.MAX_VALUE));
        probing.onSuccess(halfOpen(probing));

        assertAllocatesNothing(full, CircuitBreaker::tryAcquire);
        assertAllocatesNothing(probing, breaker -> breaker.onSuccess(breaker.tryAcquire()));
    }

    @Test
    @DisplayName("CB-9 CB-16 a late outcome and a misused stamp allocate nothing")
    void late_allocatesNothing() {
        CircuitBreaker breaker = made(brittle());
        long late = begin(breaker);
        open(breaker);

        assertAllocatesNothing(breaker, ignored -> breaker.onSuccess(late));
        assertAllocatesNothing(breaker, ignored -> breaker.onSuccess(-1));
    }

    @Test
    @DisplayName("CB-18 a call through a disabled breaker allocates nothing")
    void disabled_allocatesNothing() {
        CircuitBreaker breaker = made(brittle());
        breaker.disable();

        assertAllocatesNothing(breaker, ignored -> breaker.onFailure(breaker.tryAcquire(), FAILURE));
    }
}

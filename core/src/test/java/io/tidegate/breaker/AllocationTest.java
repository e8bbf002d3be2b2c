package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest extends BreakerTest {
    private static final int CALLS = 200_000;

    /** What the measuring itself, and a compiler at work, may cost. */
    private static final long SLACK = 16_384;

    private static final MethodHandle ALLOCATED_BYTES = allocatedBytes();

    /** The bytes this thread has allocated; by reflection, as core's module does not need the one that tells. */
    private static MethodHandle allocatedBytes() {
        try {
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(type, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long allocated() {
        try {
            return (long) ALLOCATED_BYTES.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertAllocatesNothing(CircuitBreaker breaker, Consumer<CircuitBreaker> call) {
        repeat(breaker, call);
        long before = allocated();
        repeat(breaker, call);

        assertThat(allocated() - before).as("bytes in %s calls", CALLS).isLessThan(SLACK);
    }

    private static void repeat(CircuitBreaker breaker, Consumer<CircuitBreaker> call) {
        for (int i = 0; i < CALLS; i++) {
            call.accept(breaker);
        }
    }

    private CircuitBreaker closed(WindowKind window) {
        return made(window.on(builder()).failureRate(0.99, Integer.MAX_VALUE));
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
        assertAllocatesNothing(closed(window), breaker -> breaker.onFailure(breaker.tryAcquire(), FAILURE));
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

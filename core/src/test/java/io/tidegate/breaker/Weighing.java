package io.tidegate.breaker;

import io.tidegate.memory.Weight;
import java.time.Duration;

/** Weighs breakers in a JVM of its own, which sees as many processors as it is told. */
final class Weighing {
    private static final int CALLS = 10_000;

    private Weighing() {}

    /** Prints lines of a name and a number. */
    public static void main(String[] args) throws ReflectiveOperationException {
        tell("limit", Stripes.MOST_ROWS);
        for (WindowKind window : WindowKind.values()) {
            CircuitBreaker breaker = window.on(CircuitBreaker.builder("search").timeout(Duration.ofNanos(1)))
                    .build();
            tell(window + " new", Weight.of(breaker));
            for (int i = 0; i < CALLS; i++) {
                breaker.onFailure(breaker.tryAcquire(), BreakerTest.FAILURE);
                breaker.onSuccess(breaker.tryAcquire());
            }
            tell(window + " used", Weight.of(breaker));
            OutcomeWindow outcomes = SaturationTest.window(breaker);
            tell(window + " rows", 1 + outcomes.more().length);
            outcomes.spread();
            tell(window + " rows, threads met", 1 + outcomes.more().length);
        }
    }

    private static void tell(String name, long number) {
        System.out.println("weighed " + name + ": " + number);
    }
}

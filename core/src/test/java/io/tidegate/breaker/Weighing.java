package io.tidegate.breaker;

import io.tidegate.memory.Weight;
import java.time.Duration;

/** A program that computes the memory of breakers, for a JVM of its own that sees a given number of processors. */
final class Weighing {
    private static final int CALLS = 10_000;

    private Weighing() {}

    /** Prints a line with a name and a number for each. */
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

package io.tidegate.group;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** A count that many threads raise, and that rises without memory, too. */
final class Tally {
    private final LongAdder spread = new LongAdder();

    /** Increments that the adder had no memory to count. */
    private final AtomicLong rest = new AtomicLong();

    void increment() {
        try {
            spread.increment();
        } catch (OutOfMemoryError noCell) {
            rest.incrementAndGet();
        }
    }

    long sum() {
        return spread.sum() + rest.get();
    }
}

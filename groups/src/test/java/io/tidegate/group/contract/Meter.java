package io.tidegate.group.contract;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads inside at the same time. */
final class Meter {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger highest = new AtomicInteger();
    private final AtomicInteger entries = new AtomicInteger();

    Object around(Callable<?> body) throws Exception {
        enter();
        try {
            return body == null ? null : body.call();
        } finally {
            leave();
        }
    }

    void enter() {
        entries.incrementAndGet();
        highest.accumulateAndGet(inside.incrementAndGet(), Math::max);
    }

    void leave() {
        inside.decrementAndGet();
    }

    int highest() {
        return highest.get();
    }

    int inside() {
        return inside.get();
    }

    int entries() {
        return entries.get();
    }
}

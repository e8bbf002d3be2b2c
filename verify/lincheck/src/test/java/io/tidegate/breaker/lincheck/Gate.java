package io.tidegate.breaker.lincheck;

import java.util.function.Supplier;

/** Admits many actions at the same time, or one alone. */
final class Gate {
    private int inside;

    <T> T together(Supplier<T> action) {
        enter();
        try {
            return action.get();
        } finally {
            leave();
        }
    }

    private synchronized void enter() {
        inside++;
    }

    private synchronized void leave() {
        inside--;
        notifyAll();
    }

    synchronized <T> T alone(Supplier<T> action) {
        try {
            while (inside > 0) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return action.get();
    }
}

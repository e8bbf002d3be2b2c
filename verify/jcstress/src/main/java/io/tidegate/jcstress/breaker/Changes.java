package io.tidegate.jcstress.breaker;

import io.tidegate.breaker.State;
import io.tidegate.breaker.StateChangeListener;

/** The states reported to the listener, joined by {@code +}. */
final class Changes implements StateChangeListener {
    private String told = "";

    @Override
    public synchronized void onStateChange(String name, State from, State to) {
        told = told.isEmpty() ? to.name() : told + "+" + to;
    }

    synchronized String told() {
        return told;
    }
}

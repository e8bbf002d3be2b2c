package io.tidegate.jcstress.breaker;

import io.tidegate.breaker.State;
import io.tidegate.breaker.StateChangeListener;

/** The states reported to the listener, joined by {@code +}. */
final class Changes implements StateChangeListener {
    private String reported = "";

    @Override
    public synchronized void onStateChange(String name, State from, State to) {
        reported = reported.isEmpty() ? to.name() : reported + "+" + to;
    }

    synchronized String reported() {
        return reported;
    }
}

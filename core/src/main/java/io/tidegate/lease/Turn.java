package io.tidegate.lease;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A turn of a domain on its way to the executor. Is taken once: to run it, to send it again, or to stop it. */
final class Turn implements Runnable {
    final ActiveDomain domain;

    /** Whether it is to tell the outcome of an attempt, which is inside the gate. */
    final boolean inside;

    private final Runnable body;
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile @Nullable Future<?> timer;

    Turn(ActiveDomain domain, boolean inside, Runnable body) {
        this.domain = domain;
        this.inside = inside;
        this.body = body;
    }

    boolean take() {
        return taken.compareAndSet(false, true);
    }

    @Override
    public void run() {
        if (take()) {
            body.run();
        }
    }

    /** The same turn, for who has taken this one. */
    Turn again() {
        return new Turn(domain, inside, body);
    }

    void setTimer(Future<?> timer) {
        this.timer = timer;
    }

    void cancelTimer() {
        Future<?> set = timer;
        if (set != null) {
            set.cancel(false);
        }
    }
}

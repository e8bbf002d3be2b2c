package io.tidegate.remote;

import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes every event to the user's sink once, in the order of the log, with nothing held. */
final class SinkFeed {
    /*
     * A thread that finds no other thread at the sink (`delivering`) delivers events until none is left. So the sink
     * gets them in the order of the log, one at a time. If the sink itself calls the bulkhead, the events of that call
     * are delivered after it has returned.
     */
    private final BackoffLock lock;
    private final Consumer<? super BulkheadEvent> sink;
    private final Queue<BulkheadEvent> pending = new ArrayDeque<>();
    private volatile boolean delivering; // set under the lock

    /** @param lock the bulkhead's */
    SinkFeed(BackoffLock lock, Consumer<? super BulkheadEvent> sink) {
        this.lock = lock;
        this.sink = sink;
    }

    /** Adds an event; called under the lock. */
    void add(BulkheadEvent event) {
        pending.add(event);
    }

    /** Delivers the events; called with nothing held. */
    void tell() {
        lock.take();
        try {
            if (delivering) {
                return;
            }
            delivering = true;
        } finally {
            lock.state = BackoffLock.FREE;
        }
        try {
            tellAll();
        } catch (Throwable outOfStack) {
            delivering = false; // the next thread delivers the rest
        }
    }

    /* Checks for room first, because an event that is taken counts as delivered. */
    private void tellAll() {
        StackRoom.require();
        for (BulkheadEvent event = next(); event != null; event = next()) {
            try {
                sink.accept(event);
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    private @Nullable BulkheadEvent next() {
        lock.take();
        try {
            BulkheadEvent next = pending.poll();
            delivering = next != null;
            return next;
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }
}

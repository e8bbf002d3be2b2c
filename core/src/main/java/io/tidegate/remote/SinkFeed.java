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
     * The thread that finds no other one at the sink (`telling`) delivers events until none is left. So the sink gets
     * the log's order and is never entered twice, and an operation that the sink calls leaves its events to the thread
     * on which it runs.
     */
    private final BackoffLock lock;
    private final Consumer<? super BulkheadEvent> sink;
    private final Queue<BulkheadEvent> pending = new ArrayDeque<>();
    private volatile boolean telling; // set under the lock

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
            if (telling) {
                return;
            }
            telling = true;
        } finally {
            lock.state = BackoffLock.FREE;
        }
        try {
            tellAll();
        } catch (Throwable outOfStack) {
            telling = false; // the next thread delivers the rest
        }
    }

    /* An event is taken only with room to deliver it, because a taken event counts as delivered. */
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
            telling = next != null;
            return next;
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }
}

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
     * The thread that finds no other one at the sink (`telling`) goes on until no event is left. So the sink gets the
     * log's order and is never entered twice, and an operation called from inside the sink leaves its events to the
     * thread it runs on.
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

    /** Under the lock. */
    void add(BulkheadEvent event) {
        pending.add(event);
    }

    /** With nothing held. */
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
            telling = false; // the next thread goes on
        }
    }

    /* An event is taken only with room to tell it, as what is taken counts as told. */
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

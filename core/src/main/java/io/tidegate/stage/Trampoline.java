package io.tidegate.stage;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps tasks on a thread from nesting. On an executor that runs tasks at once, a short task would start the next one
 * inside itself, and so on; instead, a task that is started inside another one waits until the outer one has returned.
 */
public final class Trampoline {
    private final Map<Thread, Queue<Runnable>> running = new ConcurrentHashMap<>();

    /** Runs it now, or after what already runs on this thread. */
    public void run(Runnable first) {
        Thread thread = Thread.currentThread();
        Queue<Runnable> turns = new ArrayDeque<>();
        Queue<Runnable> outer = running.putIfAbsent(thread, turns);
        if (outer != null) {
            outer.add(first);
            return;
        }
        turns.add(first);
        try {
            runAll(turns);
        } finally {
            running.remove(thread);
        }
    }

    /* A turn whose stack or memory is at its end must not keep the others from theirs. */
    private static void runAll(Queue<Runnable> turns) {
        Error failed = null;
        for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
            try {
                turn.run();
            } catch (Error thrown) {
                failed = thrown;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}

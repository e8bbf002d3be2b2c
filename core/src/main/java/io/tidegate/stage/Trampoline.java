package io.tidegate.stage;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps tasks on a thread from nesting. An executor may run a task at once, in its caller; a task would then start the
 * next task inside itself, and so on. Instead, a task that is started inside another one waits until the outer task has
 * returned.
 */
public final class Trampoline {
    private final Map<Thread, Queue<Runnable>> running = new ConcurrentHashMap<>();

    /** Runs {@code first} now, or after the tasks that already run on this thread. */
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

    /* A task at the end of its stack or memory must not keep the others from running. */
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

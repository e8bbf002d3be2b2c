package io.tidegate.stage;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps what is run on a thread from nesting. On an executor that runs things at once, a turn that is over at once would begin the next
 * one inside itself, and so on; who finds its own thread at it leaves the turn to the one further out.
 */
public final class Trampoline {
    private final Map<Thread, Queue<Runnable>> running = new ConcurrentHashMap<>();

    /** Runs it now, or after what runs on this thread already. */
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

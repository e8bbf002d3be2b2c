package io.tidegate.group;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Knows which tasks cannot end before a call from inside them returns. */
final class TaskNesting {
    /*
     * A thread is inside the task whose body it runs, and inside those it has in hand: it must report their end, or it
     * runs their bodies for a caller. A thread that waits for the end of all from inside tasks must not wait for these
     * tasks, nor for others that wait for the end of all in this way, nor for a task that waits for one of these, and
     * so on. All of those are excused.
     */
    private final Map<Thread, Hand> hands = new ConcurrentHashMap<>();
    private final Map<Thread, Task<?>> awaited = new ConcurrentHashMap<>();
    private final Map<Thread, Integer> closing = new ConcurrentHashMap<>();

    /** The first few tasks of a list, and the hand before. Dropping a task needs no memory. */
    static final class Hand {
        private final List<? extends Task<?>> tasks;
        private final @Nullable Hand before;
        private volatile int size;

        Hand(List<? extends Task<?>> tasks, @Nullable Hand before) {
            this.tasks = tasks;
            this.before = before;
            this.size = tasks.size();
        }

        int all() {
            return size + (before == null ? 0 : before.all());
        }
    }

    // ---- in hand ----

    void take(List<? extends Task<?>> tasks) {
        Thread me = Thread.currentThread();
        Hand before = hands.get(me);
        try {
            hands.put(me, new Hand(tasks, before));
        } catch (OutOfMemoryError noMemory) {
            restore(me, before); // it may be there for all that
            throw noMemory;
        }
    }

    /** Of the tasks taken last, the last one is not in hand any more. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only its own thread writes it
    void drop() {
        Thread me = Thread.currentThread();
        Hand hand = hands.get(me);
        if (hand != null && hand.size > 1) {
            hand.size--;
        } else {
            restore(me, hand == null ? null : hand.before);
        }
    }

    private void restore(Thread me, @Nullable Hand before) {
        if (before != null) {
            hands.replace(me, before);
        } else {
            removeFrom(hands, me);
        }
    }

    /* The map takes it out before it needs memory to count that. */
    private static void removeFrom(Map<Thread, ?> map, Thread thread) {
        try {
            map.remove(thread);
        } catch (OutOfMemoryError uncounted) {
            // as said
        }
    }

    /* Without memory the map may have the value for all that. It must not stay: nothing would remove it. */
    private static <V> void put(Map<Thread, V> map, V value) {
        Thread me = Thread.currentThread();
        try {
            map.put(me, value);
        } catch (OutOfMemoryError noMemory) {
            removeFrom(map, me);
            throw noMemory;
        }
    }

    private int inHand(Thread thread) {
        Hand hand = hands.get(thread);
        return hand == null ? 0 : hand.all();
    }

    // ---- waiting ----

    /** This thread is about to wait for the task's end. */
    void await(Task<?> task) {
        put(awaited, task);
    }

    void awaitNoMore() {
        removeFrom(awaited, Thread.currentThread());
    }

    /** This thread is about to wait for the end of all. Returns whether it is inside tasks. */
    boolean close(boolean runsBody) {
        Thread me = Thread.currentThread();
        int tasks = inHand(me) + (runsBody ? 1 : 0);
        if (tasks > 0) {
            put(closing, tasks);
        }
        return tasks > 0;
    }

    void closeNoMore() {
        removeFrom(closing, Thread.currentThread());
    }

    /**
     * Returns whether that many tasks that have not ended are all excused.
     *
     * @param bodies which task's body runs on which thread; asked only if that can matter
     */
    boolean excuses(long unended, Supplier<Map<Thread, Task<?>>> bodies) {
        long own = closing.values().stream().mapToLong(tasks -> tasks).sum();
        if (unended <= own) {
            return true;
        }
        long most = own;
        for (Thread thread : awaited.keySet()) {
            most += 1 + inHand(thread);
        }
        return unended <= most && unended <= excused(bodies.get());
    }

    private long excused(Map<Thread, Task<?>> bodies) {
        Set<Task<?>> tasks = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Thread> threads = new ArrayDeque<>(closing.keySet());
        Set<Thread> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Thread thread = threads.poll(); thread != null; thread = threads.poll()) {
            if (seen.add(thread)) {
                addInside(thread, bodies, tasks);
                awaited.forEach((waiter, task) -> {
                    if (tasks.contains(task)) {
                        threads.add(waiter);
                    }
                });
            }
        }
        return tasks.stream().filter(task -> !task.isDone()).count();
    }

    private void addInside(Thread thread, Map<Thread, Task<?>> bodies, Set<Task<?>> tasks) {
        Task<?> body = bodies.get(thread);
        if (body != null) {
            tasks.add(body);
        }
        for (Hand hand = hands.get(thread); hand != null; hand = hand.before) {
            tasks.addAll(hand.tasks.subList(0, hand.size));
        }
    }
}

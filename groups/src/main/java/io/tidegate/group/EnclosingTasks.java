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
final class EnclosingTasks {
    /*
     * A thread is inside the task whose body it runs, and inside the tasks it has in hand: those whose end it must
     * report, or whose bodies it runs for a caller. A thread that waits for the end of all from inside tasks must not
     * wait for these tasks, nor for others that wait for the end of all in this way, nor for a task that waits for one
     * of these, and so on. All of those are excused.
     */
    private final Map<Thread, TasksInHand> hands = new ConcurrentHashMap<>();
    private final Map<Thread, Task<?>> awaited = new ConcurrentHashMap<>();
    private final Map<Thread, Integer> closing = new ConcurrentHashMap<>();

    /** The first tasks of a list, and those taken before them. Dropping a task needs no memory. */
    static final class TasksInHand {
        private final List<? extends Task<?>> tasks;
        private final @Nullable TasksInHand before;
        private volatile int size;

        TasksInHand(List<? extends Task<?>> tasks, @Nullable TasksInHand before) {
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
        TasksInHand before = hands.get(me);
        try {
            hands.put(me, new TasksInHand(tasks, before));
        } catch (OutOfMemoryError noMemory) {
            restore(me, before); // the map may have it nevertheless
            throw noMemory;
        }
    }

    /** Drops one task: the last in the list that was taken last. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only its own thread writes it
    void drop() {
        Thread me = Thread.currentThread();
        TasksInHand hand = hands.get(me);
        if (hand != null && hand.size > 1) {
            hand.size--;
        } else {
            restore(me, hand == null ? null : hand.before);
        }
    }

    private void restore(Thread me, @Nullable TasksInHand before) {
        if (before != null) {
            hands.replace(me, before);
        } else {
            removeFrom(hands, me);
        }
    }

    /* The map removes the entry before it needs memory to count that. */
    private static void removeFrom(Map<Thread, ?> map, Thread thread) {
        try {
            map.remove(thread);
        } catch (OutOfMemoryError uncounted) {
            // the entry is out of the map
        }
    }

    /*
     * When there is no memory, the map may have the value nevertheless. The value must not stay, because nothing would
     * remove it.
     */
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
        TasksInHand hand = hands.get(thread);
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
     * Returns whether all tasks that have not ended are excused.
     *
     * @param unended how many tasks have not ended
     * @param bodies supplies which task's body runs on which thread; asked only if that can matter
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
                awaited.forEach((waiting, task) -> {
                    if (tasks.contains(task)) {
                        threads.add(waiting);
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
        for (TasksInHand hand = hands.get(thread); hand != null; hand = hand.before) {
            tasks.addAll(hand.tasks.subList(0, hand.size));
        }
    }
}

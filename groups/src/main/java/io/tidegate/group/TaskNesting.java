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

    /** The first few tasks of a list, and the hand before. */
    private record Hand(
            List<? extends Task<?>> tasks,
            int size,
            @Nullable Hand before) {
        int all() {
            return size + (before == null ? 0 : before.all());
        }
    }

    // ---- in hand ----

    void take(List<? extends Task<?>> tasks) {
        Thread me = Thread.currentThread();
        hands.put(me, new Hand(tasks, tasks.size(), hands.get(me)));
    }

    /** Of the tasks taken last, the last one is not in hand any more. */
    void drop() {
        Thread me = Thread.currentThread();
        Hand hand = hands.get(me);
        if (hand != null && hand.size > 1) {
            hands.put(me, new Hand(hand.tasks, hand.size - 1, hand.before));
        } else if (hand != null && hand.before != null) {
            hands.put(me, hand.before);
        } else {
            hands.remove(me);
        }
    }

    private int inHand(Thread thread) {
        Hand hand = hands.get(thread);
        return hand == null ? 0 : hand.all();
    }

    // ---- waiting ----

    /** This thread is about to wait for the task's end. */
    void await(Task<?> task) {
        awaited.put(Thread.currentThread(), task);
    }

    void awaitNoMore() {
        awaited.remove(Thread.currentThread());
    }

    /** This thread is about to wait for the end of all. Returns whether it is inside tasks. */
    boolean close(boolean runsBody) {
        Thread me = Thread.currentThread();
        int tasks = inHand(me) + (runsBody ? 1 : 0);
        if (tasks > 0) {
            closing.put(me, tasks);
        }
        return tasks > 0;
    }

    void closeNoMore() {
        closing.remove(Thread.currentThread());
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

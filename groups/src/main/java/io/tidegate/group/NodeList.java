package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A list linked through its elements. Guarded by the lock of its group. */
final class NodeList {
    private @Nullable QueueNode first;
    private @Nullable QueueNode last;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    QueueNode first() {
        return first;
    }

    void add(QueueNode task) {
        task.previous = last;
        if (last == null) {
            first = task;
        } else {
            last.next = task;
        }
        last = task;
        size++;
    }

    void remove(QueueNode task) {
        QueueNode previous = task.previous;
        QueueNode next = task.next;
        if (previous == null) {
            first = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.previous = previous;
        }
        task.previous = null;
        task.next = null;
        size--;
    }

    QueueNode removeFirst() {
        QueueNode task = requireNonNull(first);
        remove(task);
        return task;
    }

    void forEach(Consumer<? super QueueNode> action) {
        for (QueueNode task = first; task != null; task = task.next) {
            action.accept(task);
        }
    }
}

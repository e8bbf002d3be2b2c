package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A list linked through its elements. Guarded by the lock of the group it belongs to. */
final class WaiterList {
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

    void add(QueueNode waiter) {
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        size++;
    }

    void remove(QueueNode waiter) {
        QueueNode previous = waiter.previous;
        QueueNode next = waiter.next;
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
        waiter.previous = null;
        waiter.next = null;
        size--;
    }

    QueueNode removeFirst() {
        QueueNode waiter = requireNonNull(first);
        remove(waiter);
        return waiter;
    }

    void forEach(Consumer<? super QueueNode> action) {
        for (QueueNode waiter = first; waiter != null; waiter = waiter.next) {
            action.accept(waiter);
        }
    }
}

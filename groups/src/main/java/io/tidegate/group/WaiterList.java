package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A list linked through its elements. Guarded by the lock of the lane it belongs to. */
final class WaiterList {
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Waiter first() {
        return first;
    }

    void add(Waiter waiter) {
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        size++;
    }

    void remove(Waiter waiter) {
        Waiter previous = waiter.previous;
        Waiter next = waiter.next;
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

    Waiter removeFirst() {
        Waiter waiter = requireNonNull(first);
        remove(waiter);
        return waiter;
    }

    void forEach(Consumer<? super Waiter> action) {
        for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
            action.accept(waiter);
        }
    }
}

package io.tidegate.group;

import org.jspecify.annotations.Nullable;

/**
 * A task in the eyes of the bookkeeping: a node of its lane's queue while it waits, of the lane's list of what is in
 * flight after that. All fields but {@code lane} are guarded by the lane's lock.
 */
class Waiter {
    static final long NOT_WAITING = Long.MIN_VALUE;

    final Lane lane;
    long since = NOT_WAITING;

    @Nullable
    Waiter previous;

    @Nullable
    Waiter next;

    Waiter(Lane lane) {
        this.lane = lane;
    }
}

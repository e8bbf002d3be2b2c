package io.tidegate.group;

import org.jspecify.annotations.Nullable;

/**
 * A task in the eyes of the bookkeeping: a node of its group's queue while it waits, of the group's list of what is in
 * flight after that. All fields but {@code group} are guarded by the group's lock.
 */
class QueueNode {
    static final long NOT_WAITING = Long.MIN_VALUE;

    final GroupQueue group;
    long since = NOT_WAITING;

    @Nullable
    QueueNode previous;

    @Nullable
    QueueNode next;

    QueueNode(GroupQueue group) {
        this.group = group;
    }
}

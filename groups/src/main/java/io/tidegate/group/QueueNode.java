package io.tidegate.group;

import org.jspecify.annotations.Nullable;

/**
 * A task as the bookkeeping sees it: a node of its group's queue while it waits, then of the group's list of tasks in
 * flight. The group's lock guards all fields except {@code group}.
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

package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GroupQueueTest {
    private final AtomicLong time = new AtomicLong();
    private final GroupQueue group =
            new GroupQueue(new SharedPermits(GroupPolicy.UNLIMITED, GroupPolicy.UNLIMITED, time::get), "a", 1, 1, 1);

    private boolean isEvicted(long atLeastNanos) {
        group.evictIfIdle(atLeastNanos);
        return group.isRetired();
    }

    @Test
    @DisplayName("GX-15 a group is idle from the end of its last task on, not from its start")
    void evictIfIdle_taskRanLong_countsFromItsEnd() {
        QueueNode task = new QueueNode(group);
        group.admit(task);
        time.set(100);
        assertThat(isEvicted(0)).as("busy").isFalse();
        group.end(task, time.get());

        time.set(149);
        assertThat(isEvicted(50)).isFalse();
        time.set(150);
        assertThat(isEvicted(50)).isTrue();
    }

    @Test
    @DisplayName("GX-15 a group where nothing ran is idle from when the last task left its queue")
    void evictIfIdle_taskWithdrawn_countsFromThen() {
        SharedPermits one = new SharedPermits(1, GroupPolicy.UNLIMITED, time::get);
        one.tryTake();
        GroupQueue waits = new GroupQueue(one, "b", 1, 1, 1);
        QueueNode task = new QueueNode(waits);
        assertThat(waits.admit(task)).isEqualTo(GroupQueue.Admission.WAITING);
        time.set(100);
        waits.withdraw(task);

        time.set(149);
        waits.evictIfIdle(50);
        assertThat(waits.isRetired()).isFalse();
        time.set(150);
        waits.evictIfIdle(50);
        assertThat(waits.isRetired()).isTrue();
    }
}

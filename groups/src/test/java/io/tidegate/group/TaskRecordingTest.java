package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class TaskRecordingTest {
    /** Throws when the entry is in, as the JDK's map may when there is no memory to count the entry. */
    private static final class Uncounted<E> extends ConcurrentHashMap<Task<?>, E> {
        private static final long serialVersionUID = 1L;

        @Override
        public E put(Task<?> task, E event) {
            super.put(task, event);
            throw new OutOfMemoryError("for a test");
        }
    }

    @Test
    void put_noMemory_keepsNothing() {
        try (VirtualThreadGroupExecutor executor =
                new VirtualThreadGroupExecutor(GroupPolicy.builder().build())) {
            Task<?> task = (Task<?>) executor.submit("a", "task", () -> "done");
            Map<Task<?>, String> events = new Uncounted<>();
            TaskRecording.Begun<String> begun = new TaskRecording.Begun<>(events);

            begun.put(task, "event");

            assertThat(events).isEmpty();
            assertThat(begun.remove(task)).isNull();
        }
    }
}

package io.tidegate.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runner threads, with looks that the test runs. */
class RunnerThreadsTest {
    private static final int PATIENCE_MINUTES = 10;

    private final Deque<Runnable> looks = new ArrayDeque<>();
    private final Deque<Gate> gates = new ArrayDeque<>();
    private final RunnerThreads runners = new RunnerThreads(RunnerThreadsTest::thread, looks::add);

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "runner of a test");
        thread.setDaemon(true);
        return thread;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A task that keeps its runner thread. */
    private static final class Gate implements Runnable {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        @Override
        public void run() {
            begun.countDown();
            await(opened);
        }
    }

    private Gate held() {
        Gate gate = new Gate();
        gates.add(gate);
        runners.run(gate);
        return gate;
    }

    private void look() {
        looks.remove().run();
    }

    @AfterEach
    void openAll() {
        gates.forEach(gate -> gate.opened.countDown());
    }

    @Test
    @DisplayName("many tasks that get on, however slowly, need one thread")
    void run_getsOn_needsOneThread() {
        int tasks = 20_000;
        CountDownLatch ran = new CountDownLatch(tasks);
        Gate first = held();
        await(first.begun);
        assertThat(looks).as("nothing waits").isEmpty();
        Gate second = held();
        Gate third = held();
        for (int i = 0; i < tasks; i++) {
            runners.run(ran::countDown);
        }
        assertThat(looks).as("one look is planned").hasSize(1);

        first.opened.countDown();
        await(second.begun);
        look();
        assertThat(runners.size()).isEqualTo(1);
        second.opened.countDown();
        await(third.begun);
        look();
        assertThat(runners.size()).isEqualTo(1);
        third.opened.countDown();

        await(ran);
        look();
        assertThat(runners.size()).as("none, if it has ended meanwhile").isLessThanOrEqualTo(1);
        assertThat(looks).as("nothing waits").isEmpty();
    }

    @Test
    @DisplayName("a look that finds the same task first in line doubles the threads, until each task has one")
    void run_stuck_doubles() {
        int tasks = 12;
        await(held().begun);
        for (int i = 1; i < tasks; i++) {
            held();
        }

        int size = 1;
        while (size < tasks) {
            assertThat(runners.size()).isEqualTo(size);
            look();
            size = Math.min(2 * size, tasks);
            gates.stream().limit(size).forEach(gate -> await(gate.begun));
            assertThat(runners.size()).isEqualTo(size);
            if (size < tasks) {
                look(); // another task is first in line
            }
        }
    }
}

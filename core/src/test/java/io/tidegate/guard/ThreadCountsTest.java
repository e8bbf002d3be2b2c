package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.race.Race;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counts of calls: exact with counts of the thread's own and without them. */
class ThreadCountsTest {
    private final ThreadCounts byThread = new ThreadCounts();

    @Test
    @DisplayName("GD-10 what a thread counts before and after it has a own adds up")
    void count_laneInBetween_addsUp() {
        byThread.begin(byThread.own());
        askUntilOwn();
        byThread.succeed(byThread.own());
        byThread.begin(byThread.own());

        assertThat(byThread.own()).isNotNull();
        assertThat(byThread.begun()).isEqualTo(2);
        assertThat(byThread.succeeded()).isEqualTo(1);
    }

    @Test
    @DisplayName("GD-10 a thread whose place another one has counts all the same, and gets no own")
    void ask_placeTaken_shares() throws Exception {
        askUntilOwn();
        byThread.begin(byThread.own());
        boolean hasOwn = onThreadOf(ThreadCounts.place(Thread.currentThread()), () -> {
            byThread.ask();
            byThread.begin(byThread.own());
            byThread.succeed(byThread.own());
            return byThread.own() != null;
        });

        assertThat(hasOwn).isFalse();
        assertThat(byThread.own()).isNotNull();
        assertThat(byThread.begun()).isEqualTo(2);
        assertThat(byThread.succeeded()).isEqualTo(1);
    }

    @Test
    @DisplayName("GD-10 the counts of a dead thread stay when another one gets its place")
    void ask_ownerDead_goesOnFromItsCounts() throws Exception {
        int place = ThreadCounts.place(Thread.currentThread());
        Callable<Thread> calls = () -> {
            askUntilOwn();
            byThread.begin(byThread.own());
            byThread.begin(byThread.own());
            byThread.succeed(byThread.own());
            return Thread.currentThread();
        };
        Thread first = onThreadOf(place, calls);
        Thread second = onThreadOf(place, calls);
        askUntilOwn();
        byThread.begin(byThread.own());

        assertThat(byThread.begun()).isEqualTo(5);
        assertThat(byThread.succeeded()).isEqualTo(2);
        Reference.reachabilityFence(first); // dead, though not collected
        Reference.reachabilityFence(second);
    }

    @Test
    @DisplayName("GD-10 a reading never has more successes than begins, and at rest all are there")
    void read_whileThreadsComeAndGo_isNeverBelowZero() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong made = new AtomicLong();
        CountDownLatch counting = new CountDownLatch(3);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(new Thread(() -> {
                counting.countDown();
                while (!over.get()) {
                    threadWithCalls(1 + (int) (made.get() % 500), made);
                }
            }));
        }
        threads.forEach(Thread::start);
        counting.await();
        long until = System.nanoTime() + Race.LIMIT.toNanos();
        long before = 0;
        long worst = 0;
        boolean fell = false;
        while (System.nanoTime() - until < 0) {
            long succeeded = byThread.succeeded();
            long begun = byThread.begun();
            worst = Math.min(worst, begun - succeeded);
            fell |= begun < before;
            before = begun;
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(worst).isZero();
        assertThat(fell).isFalse();
        assertThat(byThread.begun()).isEqualTo(made.get());
        assertThat(byThread.succeeded()).isEqualTo(made.get());
    }

    private void threadWithCalls(int calls, AtomicLong made) {
        Thread thread = new Thread(() -> {
            for (int i = 0; i < calls; i++) {
                if (i % 8 == 3) {
                    byThread.ask();
                }
                byThread.begin(byThread.own());
                byThread.succeed(byThread.own());
            }
            made.addAndGet(calls);
        });
        thread.start();
        joined(thread);
    }

    private void askUntilOwn() {
        while (byThread.own() == null) {
            byThread.ask();
        }
    }

    /** Runs the work on a thread whose counts belong at this place, and returns once that thread is dead. */
    private static <T> T onThreadOf(int place, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        while (ThreadCounts.place(thread) != place) {
            thread = new Thread(task);
        }
        thread.start();
        thread.join();
        return task.get();
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

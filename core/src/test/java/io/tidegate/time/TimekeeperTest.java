package io.tidegate.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimekeeperTest {
    private static final int PATIENCE_SECONDS = 600;
    private static final int MANY = 100;

    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void releaseAll() {
        release.countDown();
    }

    private void block() {
        try {
            assertThat(release.await(2 * PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("what is due runs although everything that was due before it blocks")
    void later_othersBlock_runs() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            Timekeeper.later(
                    () -> {
                        blocked.countDown();
                        block();
                    },
                    1);
        }
        CountDownLatch ran = new CountDownLatch(1);
        Timekeeper.later(ran::countDown, 2);

        await(blocked);
        await(ran);
    }

    @Test
    @DisplayName("what is due runs although the common pool is busy")
    void later_commonPoolBusy_runs() throws InterruptedException {
        for (int i = 0; i < MANY; i++) {
            ForkJoinPool.commonPool().execute(this::block);
        }
        CountDownLatch ran = new CountDownLatch(2);
        Timekeeper.later(ran::countDown, 1);
        Timekeeper.now(ran::countDown);

        await(ran);
    }

    @Test
    @DisplayName("what throws takes nothing from those after it")
    void now_throws_othersRun() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            Timekeeper.now(() -> {
                throw new StackOverflowError();
            });
            Timekeeper.now(ran::countDown);
        }

        await(ran);
    }
}

package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceWorkTest {
    private static final int FOR_EVER = Integer.MAX_VALUE;

    private final ServiceWork work = new ServiceWork();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        threads.close();
    }

    @Test
    void failures_percent_isMetAndSpreadEvenly() throws InterruptedException {
        work.latency(0);
        work.failures(40);
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(work.answer());
        }

        assertThat(answers).containsExactly(204, 204, 500, 204, 500, 204, 204, 500, 204, 500);
    }

    @Test
    void failures_noneOrAll_areExact() throws InterruptedException {
        work.latency(0);
        assertThat(work.answer()).isEqualTo(204);
        work.failures(100);
        assertThat(work.answer()).isEqualTo(500);
    }

    @Test
    void capacity_loweredAndRaised_isHowManyAreWorkedOn() throws Exception {
        work.capacity(1);
        work.latency(FOR_EVER);
        threads.submit(work::answer);
        awaitPlacesTaken();
        work.latency(0);
        Future<Integer> second = threads.submit(work::answer);
        awaitWaiting(1);

        work.capacity(2);
        assertThat(second.get()).isEqualTo(204);

        work.capacity(1);
        Future<Integer> third = threads.submit(work::answer);
        awaitWaiting(1);
        work.capacity(2);
        assertThat(third.get()).isEqualTo(204);
    }

    @Test
    void answer_veryManyInside_turnsTheNextAway() throws Exception {
        work.capacity(1);
        work.latency(FOR_EVER);
        for (int i = 0; i < ServiceWork.MOST_INSIDE; i++) {
            threads.submit(work::answer);
        }
        awaitWaiting(ServiceWork.MOST_INSIDE - 1);

        assertThat(work.answer()).isEqualTo(503);
    }

    private void awaitPlacesTaken() {
        while (work.free() > 0) {
            Thread.onSpinWait();
        }
    }

    private void awaitWaiting(int requests) {
        while (work.waiting() < requests) {
            Thread.onSpinWait();
        }
    }
}

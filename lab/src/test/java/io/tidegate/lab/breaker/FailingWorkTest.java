package io.tidegate.lab.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.load.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailingWorkTest {
    private static final Duration WORK = Duration.ofMillis(20);
    private static final Duration ERROR = Duration.ofMillis(400);

    private final ManualTime time = new ManualTime();
    private final FailingWork work = new FailingWork(Outage.DEFAULT, time);

    @Test
    void answer_inTheWarmUp_worksAndIsNotCounted() throws InterruptedException {
        time.sleep(Duration.ofSeconds(2).toNanos());

        assertThat(work.answer()).isEqualTo(204);
        assertThat(work.elapsed()).isZero();
        assertThat(work.callsByCell()).containsOnly(0);
    }

    @Test
    void answer_aroundTheOutage_failsFromItsStartToItsEnd() throws InterruptedException {
        work.begin();

        assertThat(answerAt(Duration.ofMillis(1_499))).isEqualTo(204);
        assertThat(answerAt(Duration.ofMillis(1_600))).isEqualTo(500);
        assertThat(answerAt(Duration.ofMillis(5_499))).isEqualTo(500);
        assertThat(answerAt(Duration.ofMillis(5_900))).isEqualTo(204);
        assertThat(work.callsWhileFailing()).isEqualTo(2);
    }

    @Test
    void answer_whileFailing_takesAsLongAsAnError() throws InterruptedException {
        work.begin();
        assertThat(work.answer()).isEqualTo(204);
        assertThat(work.elapsed()).isEqualTo(WORK);

        Duration start = Outage.DEFAULT.before();
        assertThat(answerAt(start)).isEqualTo(500);
        assertThat(work.elapsed()).isEqualTo(start.plus(ERROR));
    }

    @Test
    void callsByCell_callsOverTime_countsEachWhereItArrived() throws InterruptedException {
        work.begin();
        answerAt(Duration.ZERO);
        answerAt(Duration.ofMillis(90));
        answerAt(Duration.ofMillis(250));
        answerAt(Duration.ofMinutes(1));

        int[] calls = work.callsByCell();

        assertThat(calls).hasSize(80).startsWith(2, 0, 1, 0);
        assertThat(calls[79]).isEqualTo(1);
    }

    private int answerAt(Duration elapsed) throws InterruptedException {
        time.sleep(elapsed.minus(work.elapsed()).toNanos());
        return work.answer();
    }
}

package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.lab.load.ManualTime;
import io.tidegate.lab.load.Time;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class TallyTest {
    private final Time time = new ManualTime();
    private final Tally tally = new Tally(time);

    @Test
    void rates_eachEnd_isCountedASecond() throws InterruptedException {
        for (int i = 0; i < 8; i++) {
            tally.offered();
        }
        tally.ended(1_000_000, null);
        tally.ended(2_000_000, null);
        tally.ended(3_000_000, new CompletionException(new IOException("status 500")));
        tally.ended(4_000_000, new TimeoutException());
        tally.ended(9_000_000, refusal());
        move(250);

        assertThat(tally.rates()).isEqualTo(new Tally.Rates(4, 1, 0.5, 0.5, 0.5, 4));
    }

    @Test
    void rates_afterTwoSeconds_areForgotten() throws InterruptedException {
        tally.offered();
        tally.ended(1_000_000, null);
        move(2_000);
        assertThat(tally.rates().goodput()).isEqualTo(0.5);

        move(250);
        assertThat(tally.rates()).isEqualTo(new Tally.Rates(0, 0, 0, 0, 0, 0));
    }

    @Test
    void rates_manyWaits_p99IsThatOf99Of100() throws InterruptedException {
        for (int millis = 1; millis <= 100; millis++) {
            tally.ended(TimeUnit.MILLISECONDS.toNanos(millis), null);
        }
        move(250);

        assertThat(tally.rates().p99Millis()).isEqualTo(99);
    }

    private static Throwable refusal() {
        AsyncBulkhead full = AsyncBulkhead.of(1);
        full.submit(CompletableFuture::new);
        Throwable refusal =
                full.submit(CompletableFuture::new).toCompletableFuture().exceptionNow();
        assertThat(refusal).isInstanceOf(BulkheadRejectedException.class);
        return refusal;
    }

    private void move(int millis) throws InterruptedException {
        time.sleep(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}

package io.tidegate.lab.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.lab.SceneTest;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Trial;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class BulkheadSceneTest extends SceneTest {
    private static final Overload SMALL = new Overload(
            4, Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofMillis(300));

    @Test
    void play_smallOverload_printsTheTable() throws Exception {
        new BulkheadScene(SMALL).play(screen);

        assertThat(printed()).contains("unprotected", "AsyncBulkhead, limit 4", "goodput", "p99", "refused");
    }

    @Test
    void run_unprotected_everyCallHasOneOutcomeAndNoneIsRefused() throws Exception {
        Trial.Result result = new Trial("unprotected", SMALL.load(), SMALL.newWork(), Supplier::get).run(screen);

        assertThat(total(result.outcomes())).isEqualTo(SMALL.arrivals().count());
        assertThat(result.outcomes().count(Outcomes.Kind.REFUSED)).isZero();
    }

    @Test
    void run_behindBulkhead_everyCallHasOneOutcomeAndTheServiceNeverHoldsMoreThanTheLimit() throws Exception {
        AsyncBulkhead bulkhead = AsyncBulkhead.builder(SMALL.capacity())
                .permitLifetime(PermitLifetime.OPERATION)
                .build();

        Trial.Result result = new Trial("bulkhead", SMALL.load(), SMALL.newWork(), bulkhead::submit).run(screen);

        assertThat(total(result.outcomes())).isEqualTo(SMALL.arrivals().count());
        assertThat(result.peakInside()).isLessThanOrEqualTo(SMALL.capacity());
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(bulkhead.stats().submitted())
                .isEqualTo(SMALL.warmUpArrivals().count() + SMALL.arrivals().count());
    }
}

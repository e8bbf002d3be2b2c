package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitOpenException;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.guard.Guard;
import io.tidegate.guard.GuardLayer;
import io.tidegate.guard.TimeLimitExceededException;
import io.tidegate.rate.RateLimitedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SwitchedGuardTest {
    private static final int MANY = 1_000_000;

    private final Registry registry = new Registry();
    private final SwitchedGuard switched = new SwitchedGuard(registry);
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void set_nothing_callsGoThroughAnEmptyGuard() {
        assertThat(switched.submit(() -> CompletableFuture.completedStage(204))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(204);
        assertThat(layers()).isEmpty();
        assertThat(names()).containsExactly("guard shop");
    }

    @Test
    void set_everything_layersStandInTheOrderOfTheirSwitches() {
        switched.set(EnumSet.allOf(Protection.class), 4);

        assertThat(layers()).containsExactly("retry", "rate", "breaker", "bulkhead", "bulkhead", "time-limit");
        assertThat(names())
                .containsExactly("breaker shop", "bulkhead shop", "bulkhead shop-adaptive", "guard shop", "rate shop");
    }

    @Test
    void set_bulkhead_refusesBeyondTheCapacityOfThen() {
        switched.set(Set.of(Protection.BULKHEAD), 2);
        hold(2);

        assertRefused(BulkheadRejectedException.class);
    }

    @Test
    void set_adaptive_refusesBeyondItsLimit() {
        switched.set(Set.of(Protection.ADAPTIVE), 1);
        hold(ShopSlider.CAPACITY.usual());

        assertRefused(BulkheadRejectedException.class);
    }

    @Test
    void set_breaker_opensAfterFailures() {
        switched.set(Set.of(Protection.BREAKER), 1);
        Throwable error = null;
        for (int i = 0; i < MANY && !(error instanceof CircuitOpenException); i++) {
            error = errorOf(switched.submit(this::fail));
        }

        assertThat(error).isInstanceOf(CircuitOpenException.class);
    }

    @Test
    void set_retry_triesThreeTimes() {
        switched.set(Set.of(Protection.RETRY), 1);

        assertThat(errorOf(switched.submit(this::fail))).isInstanceOf(IOException.class);
        assertThat(calls).hasValue(3);
    }

    @Test
    void set_retryWithBudget_guardShowsWhatIsLeft() {
        switched.set(Set.of(Protection.RETRY), 1);
        assertThat(measures()).doesNotContain("budget");

        switched.set(Set.of(Protection.RETRY, Protection.BUDGET), 1);
        assertThat(measures()).contains("budget");
    }

    @Test
    void set_rateLimit_refusesBeyondTheRate() {
        switched.set(Set.of(Protection.RATE_LIMIT), 1);
        Throwable error = null;
        for (int i = 0; i < MANY && error == null; i++) {
            error = errorOf(switched.submit(() -> CompletableFuture.completedStage(204)));
        }

        assertThat(error).isInstanceOf(RateLimitedException.class);
    }

    @Test
    void set_timeLimit_endsACallThatDoesNot() {
        switched.set(Set.of(Protection.TIME_LIMIT), 1);

        assertThat(errorOf(switched.submit(CompletableFuture::new))).isInstanceOf(TimeLimitExceededException.class);
    }

    @Test
    void set_anotherSwitch_keepsThePartsThatStayOn() {
        switched.set(Set.of(Protection.BULKHEAD), 1);
        Part bulkhead = registry.find("bulkhead", "shop").orElseThrow();
        hold(1);

        switched.set(Set.of(Protection.BULKHEAD, Protection.BREAKER), 9);

        assertThat(registry.find("bulkhead", "shop")).containsSame(bulkhead);
        assertRefused(BulkheadRejectedException.class);
    }

    @Test
    void set_off_takesThePartAway() {
        switched.set(Set.of(Protection.BULKHEAD, Protection.BREAKER), 1);
        switched.set(Set.of(Protection.BREAKER), 1);

        assertThat(names()).containsExactly("breaker shop", "guard shop");
        assertThat(layers()).containsExactly("breaker");
    }

    @Test
    void close_leavesNothingInTheRegistry() {
        switched.set(EnumSet.allOf(Protection.class), 4);
        switched.close();

        assertThat(registry.parts()).isEmpty();
    }

    private void hold(int pending) {
        for (int i = 0; i < pending; i++) {
            assertThat(switched.submit(CompletableFuture::new).toCompletableFuture())
                    .isNotDone();
        }
    }

    private void assertRefused(Class<? extends Throwable> refusal) {
        assertThatThrownBy(
                        () -> switched.submit(this::fail).toCompletableFuture().join())
                .hasCauseInstanceOf(refusal);
        assertThat(calls).hasValue(0);
    }

    private CompletionStage<Integer> fail() {
        calls.incrementAndGet();
        return CompletableFuture.failedStage(new IOException("status 500"));
    }

    private static Throwable errorOf(CompletionStage<Integer> stage) {
        return stage.handle((status, error) -> error instanceof CompletionException ? error.getCause() : error)
                .toCompletableFuture()
                .join();
    }

    private List<String> layers() {
        Guard guard = (Guard) registry.find("guard", "shop").orElseThrow();
        return guard.layers().stream().map(GuardLayer::kind).toList();
    }

    private List<String> names() {
        return registry.parts().stream()
                .map(part -> part.kind() + " " + part.name())
                .toList();
    }

    private List<String> measures() {
        List<String> measures = new ArrayList<>();
        registry.find("guard", "shop").orElseThrow().read(new Reading() {
            @Override
            public void gauge(String measure, double value, String... tags) {
                measures.add(measure);
            }

            @Override
            public void count(String measure, long total, String... tags) {}

            @Override
            public void time(String measure, long count, long total, long p50, long p99, long max, String... tags) {}

            @Override
            public void state(String measure, String value) {}
        });
        return measures;
    }
}

package io.tidegate.adaptive.lincheck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.gate.Gate;
import io.tidegate.gate.MovingLimit;
import io.tidegate.lincheck.Strategy;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaptiveLincheckTest {
    /** The algorithm that moves the limit. */
    enum Algorithm {
        AIMD(AdaptiveLimit::aimd),
        GRADIENT(AdaptiveLimit::gradient);

        final Supplier<AdaptiveLimit.Builder> builder;

        Algorithm(Supplier<AdaptiveLimit.Builder> builder) {
            this.builder = builder;
        }
    }

    @ParameterizedTest
    @CsvSource({"MODEL_CHECKING, AIMD", "MODEL_CHECKING, GRADIENT", "STRESS, AIMD", "STRESS, GRADIENT"})
    @DisplayName("AL-1 AL-2 AL-3 entries are linearizable while the limit falls")
    void fallingLimit_tidegate_linearizable(Strategy strategy, Algorithm algorithm) {
        check(strategy, () -> FallingLimit.made(algorithm.builder.get()), true);
    }

    @Test
    @DisplayName("AL-1 AL-3 no call enters by the limit before it fell, however long ago it was read")
    void fallingLimit_readLongAgo_linearizable() {
        FallingLimit.factory = () -> FallingLimit.made(AdaptiveLimit.aimd());
        List<List<Actor>> threads =
                List.of(List.of(call("enter", 2)), List.of(call("timeOut", 0), call("leave", 1), call("enter", 1)));
        Strategy.MODEL_CHECKING.check(FallingLimit.class, FallingSpecification.class, threads);
    }

    private static Actor call(String operation, int caller) {
        try {
            return new Actor(FallingLimit.class.getMethod(operation, int.class), List.of(caller));
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("broken")
    @DisplayName("AL-2 a cut that another one writes over is caught")
    void fallingLimit_broken_caught() {
        assertThatThrownBy(() -> check(Strategy.MODEL_CHECKING, AdaptiveLincheckTest::cutsInTwoSteps, false))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }

    private static void check(Strategy strategy, Supplier<AsyncBulkhead> factory, boolean holds) {
        FallingLimit.factory = factory;
        strategy.check(FallingLimit.class, FallingSpecification.class, holds);
    }

    private static AsyncBulkhead cutsInTwoSteps() {
        AsyncBulkhead.Builder bulkhead =
                AsyncBulkhead.builder(FallingLimit.START).permitLifetime(PermitLifetime.OPERATION);
        ((MovingLimit.Follower) bulkhead).follow(new CutInTwoSteps());
        return bulkhead.build();
    }

    /** Broken on purpose: reads the limit in one step, and writes the new one in another. */
    private static final class CutInTwoSteps implements MovingLimit {
        private volatile int limit = FallingLimit.START;

        @Override
        public int limit() {
            return limit;
        }

        @Override
        public long begin() {
            return 0;
        }

        @Override
        public long elapsed(long stamp) {
            return 0;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // the fault
        public void end(long stamp, int inFlight, @Nullable Throwable error, Gate.Verdict verdict) {
            if (error instanceof TimeoutException) {
                limit = Math.max(1, limit - 1);
            }
        }
    }
}

package io.tidegate.adaptive.lincheck;

import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.lincheck.Strategy;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaptiveLincheckTest {
    /** Which rule moves the limit. */
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
        FallingLimit.algorithm = algorithm.builder;
        strategy.check(FallingLimit.class, FallingSpecification.class, true);
    }
}

package io.tidegate.remote.lincheck;

import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lincheck.Strategy;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RemoteLincheckTest {
    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("RB-2 RB-5 to RB-15 the machine answers as if its operations came one after the other")
    void requests_linearizable(Strategy strategy) {
        strategy.check(Requests.class, RequestsSpecification.class, true);
    }

    @Test
    @Tag("broken")
    @DisplayName("RB-2 an operation in two steps is caught")
    void requests_twoSteps_caught() {
        assertThatThrownBy(() -> MODEL_CHECKING.check(TwoStepRequests.class, RequestsSpecification.class, false))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }
}

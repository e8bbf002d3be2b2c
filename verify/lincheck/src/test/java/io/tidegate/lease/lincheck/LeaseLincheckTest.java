package io.tidegate.lease.lincheck;

import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.broken.LeaseFactory;
import io.tidegate.lease.broken.RacyLease;
import io.tidegate.lincheck.Strategy;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LeaseLincheckTest {
    @ParameterizedTest
    @CsvSource({"MODEL_CHECKING, true", "MODEL_CHECKING, false", "STRESS, true", "STRESS, false"})
    @DisplayName("WL-11 the operations of a domain answer as if they came one after the other")
    void offsets_tidegate_linearizable(Strategy strategy, boolean startsLeased) {
        Setting.factory = LeaseFactory.TIDEGATE;
        Setting.startsLeased = startsLeased;
        strategy.check(Offsets.class, OffsetsSpecification.class, true);
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource
    @DisplayName("WL-5 WL-11 a lease that only threads can break is caught")
    void offsets_broken_caught(RacyLease broken) {
        Setting.factory = broken;
        Setting.startsLeased = broken != RacyLease.ACQUIRES_WITHOUT_A_SECOND_LOOK;
        assertThatThrownBy(() -> MODEL_CHECKING.check(Offsets.class, OffsetsSpecification.class, false))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }
}

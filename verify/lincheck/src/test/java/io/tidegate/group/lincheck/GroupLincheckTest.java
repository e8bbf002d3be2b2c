package io.tidegate.group.lincheck;

import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static io.tidegate.lincheck.Strategy.STRESS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.BrokenPermits;
import io.tidegate.group.Permits;
import io.tidegate.lincheck.Strategy;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupLincheckTest {
    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("GX-3 GX-4 GX-5 GX-6 GX-7 permits of groups with limits of their own are linearizable")
    void ownLimits_tidegate_linearizable(Strategy strategy) {
        Setting.use(Permits::tidegate, Setting.OWN_LIMITS);
        strategy.check(OwnLimits.class, OwnLimitsSpecification.class, true);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("GX-3 GX-4 GX-7 GX-11 one place that two groups want goes to whoever has waited longest")
    void onePlace_tidegate_linearizable(Strategy strategy) {
        Setting.use(Permits::tidegate, Setting.ONE_PLACE);
        strategy.check(OnePlace.class, OnePlaceSpecification.class, true);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("GX-4 GX-7 GX-11 and so it does from one to the next")
    void placeTaken_tidegate_linearizable(Strategy strategy) {
        Setting.use(Permits::tidegate, Setting.ONE_PLACE);
        strategy.check(OnePlace.Taken.class, OnePlaceSpecification.Taken.class, true);
    }

    @Test
    @DisplayName("GX-6 a wrong threshold is caught")
    void ownLimits_broken_caught() {
        Setting.use(BrokenPermits.RUNNING_COUNT_AS_WAITING, Setting.OWN_LIMITS);
        assertCaught(MODEL_CHECKING, OwnLimits.class, OwnLimitsSpecification.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = BrokenPermits.class,
            names = {"LOOKS_THEN_TAKES", "LOOKS_THEN_WAITS"})
    @DisplayName("GX-3 GX-10 a place given twice, or not at all, is caught")
    void onePlace_broken_caught(BrokenPermits broken) {
        Setting.use(broken, Setting.ONE_PLACE);
        assertCaught(MODEL_CHECKING, OnePlace.class, OnePlaceSpecification.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = BrokenPermits.class,
            names = {"GIVES_BACK_THEN_LOOKS", "LOOKS_THEN_LEAVES", "LAST_COME_FIRST_SERVED"})
    @DisplayName("GX-7 GX-11 a place that goes to the wrong one, or to one that has left, is caught")
    void placeTaken_broken_caught(BrokenPermits broken) {
        Setting.use(broken, Setting.ONE_PLACE);
        assertCaught(MODEL_CHECKING, OnePlace.Taken.class, OnePlaceSpecification.Taken.class);
    }

    @Test
    @DisplayName("GX-7 stress, too, compares with the specification")
    void placeTaken_brokenUnderStress_caught() {
        Setting.use(BrokenPermits.LAST_COME_FIRST_SERVED, Setting.ONE_PLACE);
        assertCaught(STRESS, OnePlace.Taken.class, OnePlaceSpecification.Taken.class);
    }

    private static void assertCaught(Strategy strategy, Class<?> subject, Class<?> specification) {
        assertThatThrownBy(() -> strategy.check(subject, specification, false))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }
}

package io.tidegate.group.lincheck;

import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static io.tidegate.lincheck.Strategy.STRESS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.group.BrokenPermits;
import io.tidegate.group.Permits;
import io.tidegate.lincheck.Strategy;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
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
    @DisplayName("GX-3 GX-4 GX-7 GX-11 one permit that two groups want goes to the one served longest ago")
    void onePermit_tidegate_linearizable(Strategy strategy) {
        Setting.use(Permits::tidegate, Setting.ONE_PLACE);
        strategy.check(OnePermit.class, OnePermitSpecification.class, true);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("GX-4 GX-7 GX-11 and so it does from one to the next")
    void placeTaken_tidegate_linearizable(Strategy strategy) {
        Setting.use(Permits::tidegate, Setting.ONE_PLACE);
        strategy.check(OnePermit.Taken.class, OnePermitSpecification.Taken.class, true);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("GX-7 the group that was served longest ago goes first, though a task of the other has waited longer")
    void placeWanted_tidegate_linearizable(Strategy strategy) {
        Setting.use(Permits::tidegate, Setting.ONE_PLACE);
        strategy.check(OnePermit.Wanted.class, OnePermitSpecification.Wanted.class, true);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("GX-23 a concurrency that changes starts the tasks that may start")
    void raised_tidegate_linearizable(Strategy strategy) {
        Setting.use(Permits::tidegate, Setting.OWN_LIMITS);
        strategy.check(ChangingConcurrency.class, ChangingConcurrencySpecification.class, true);
    }

    @Test
    @Tag("broken")
    @DisplayName("GX-6 a wrong threshold is caught")
    void ownLimits_broken_caught() {
        Setting.use(BrokenPermits.RUNNING_COUNT_AS_WAITING, Setting.OWN_LIMITS);
        assertCaught(MODEL_CHECKING, OwnLimits.class, OwnLimitsSpecification.class);
    }

    @Test
    @Tag("broken")
    @DisplayName("GX-7 a permit that goes to the task that has waited longest is caught")
    void placeWanted_broken_caught() {
        Setting.use(BrokenPermits.LONGEST_WAIT_FIRST, Setting.ONE_PLACE);
        assertCaught(MODEL_CHECKING, OnePermit.Wanted.class, OnePermitSpecification.Wanted.class);
    }

    @Test
    @Tag("broken")
    @DisplayName("GX-23 a raised limit that starts no task is caught")
    void raised_broken_caught() {
        Setting.use(BrokenPermits.RAISES_IN_SILENCE, Setting.OWN_LIMITS);
        assertCaught(MODEL_CHECKING, ChangingConcurrency.class, ChangingConcurrencySpecification.class);
    }

    @Test
    @Tag("broken")
    @DisplayName("GX-3 a permit given twice is caught")
    void onePermit_broken_caught() {
        Setting.use(BrokenPermits.LOOKS_THEN_TAKES, Setting.ONE_PLACE);
        assertCaught(MODEL_CHECKING, OnePermit.class, OnePermitSpecification.class);
    }

    @Test
    @Tag("broken")
    @DisplayName("GX-10 a permit that comes back unseen is caught")
    void placeHeld_broken_caught() {
        Setting.use(BrokenPermits.LOOKS_THEN_WAITS, Setting.ONE_PLACE);
        List<List<Actor>> threads = List.of(List.of(comeOrGo(0)), List.of(comeOrGo(1)));
        assertCaught(() -> MODEL_CHECKING.check(OnePermit.Held.class, OnePermitSpecification.Held.class, threads));
    }

    private static Actor comeOrGo(int task) {
        try {
            return new Actor(OnePermit.class.getMethod("comeOrGo", int.class), List.of(task));
        } catch (NoSuchMethodException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource(
            value = BrokenPermits.class,
            names = {"GIVES_BACK_THEN_LOOKS", "LOOKS_THEN_LEAVES", "LAST_SERVED_FIRST"})
    @DisplayName("GX-7 GX-11 a permit that goes to the wrong task, or to one that has left, is caught")
    void placeTaken_broken_caught(BrokenPermits broken) {
        Setting.use(broken, Setting.ONE_PLACE);
        assertCaught(MODEL_CHECKING, OnePermit.Taken.class, OnePermitSpecification.Taken.class);
    }

    @Test
    @Tag("broken")
    @DisplayName("GX-7 stress, too, compares with the specification")
    void placeTaken_brokenUnderStress_caught() {
        Setting.use(BrokenPermits.LAST_SERVED_FIRST, Setting.ONE_PLACE);
        assertCaught(STRESS, OnePermit.Taken.class, OnePermitSpecification.Taken.class);
    }

    private static void assertCaught(Strategy strategy, Class<?> subject, Class<?> specification) {
        assertCaught(() -> strategy.check(subject, specification, false));
    }

    private static void assertCaught(ThrowingCallable check) {
        assertThatThrownBy(check)
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }
}

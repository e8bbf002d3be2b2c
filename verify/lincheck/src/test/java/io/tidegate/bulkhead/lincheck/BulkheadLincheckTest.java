package io.tidegate.bulkhead.lincheck;

import static io.tidegate.bulkhead.broken.BrokenBulkhead.CHECK_THEN_ACT;
import static io.tidegate.bulkhead.broken.BrokenBulkhead.RELEASE_ONLY_ON_CANCEL;
import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static io.tidegate.lincheck.Strategy.STRESS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.bulkhead.broken.BulkheadFactory;
import io.tidegate.lincheck.Strategy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BulkheadLincheckTest {
    private static final String INVALID_RESULTS = "= Invalid execution results =";
    private static final String WRONG_AT_REST = "= Validation function atRest has failed =";

    private static final BulkheadFactory WITHOUT_LISTENER = (limit, listener) -> AsyncBulkhead.of(limit);
    private static final BulkheadFactory OPERATION_LIFETIME = (limit, listener) -> AsyncBulkhead.builder(limit)
            .listener(listener)
            .permitLifetime(PermitLifetime.OPERATION)
            .build();

    @ParameterizedTest
    @CsvSource({"MODEL_CHECKING, 1", "MODEL_CHECKING, 2", "STRESS, 1", "STRESS, 2"})
    @Retention(RetentionPolicy.RUNTIME)
    @interface EachStrategyAndLimit {}

    @EachStrategyAndLimit
    @DisplayName("AB-3 AB-10 AB-12 AB-13 AB-14 AB-17 submissions and their racing ends are linearizable")
    void submissions_tidegate_linearizable(Strategy strategy, int limit) {
        check(strategy, Submissions.class, SubmissionsSpecification.class, BulkheadFactory.TIDEGATE, limit);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("AB-3 AB-10 AB-14 and so they are without a listener")
    void submissions_withoutListener_linearizable(Strategy strategy) {
        check(strategy, Submissions.WithoutListener.class, SubmissionsSpecification.class, WITHOUT_LISTENER, 1);
    }

    @EachStrategyAndLimit
    @DisplayName("AB-11 AB-12 under OPERATION the end of the operation, and nothing else, frees its permit")
    void submissions_operationLifetime_linearizable(Strategy strategy, int limit) {
        check(strategy, OperationSubmissions.class, OperationSpecification.class, OPERATION_LIFETIME, limit);
    }

    @EachStrategyAndLimit
    @DisplayName("AB-3 AB-14 permits that change hands are never too many and never too few")
    void places_tidegate_linearizable(Strategy strategy, int limit) {
        check(strategy, PermitCount.class, PermitCountSpecification.class, BulkheadFactory.TIDEGATE, limit);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("AB-12 AB-13 operations that end during their own submit leave the account right")
    void endsDuringSubmit_tidegate_accounted(Strategy strategy) {
        check(strategy, EndsDuringSubmit.class, EndsDuringSubmit.class, BulkheadFactory.TIDEGATE, 2);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("AB-11 AB-12 and so they do under OPERATION")
    void endsDuringSubmit_operationLifetime_accounted(Strategy strategy) {
        Class<?> subject = EndsDuringSubmit.UnderOperation.class;
        check(strategy, subject, subject, OPERATION_LIFETIME, 2);
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource(BrokenBulkhead.class)
    @DisplayName("AB-3 AB-10 AB-13 AB-14 every broken bulkhead is caught")
    void submissions_broken_caught(BrokenBulkhead broken) {
        assertCaught(INVALID_RESULTS, MODEL_CHECKING, Submissions.class, SubmissionsSpecification.class, broken, 2);
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource(
            value = BrokenBulkhead.class,
            names = {"RELEASE_ONLY_ON_CANCEL", "RELEASE_AFTER_PUBLICATION"})
    @DisplayName("AB-10 AB-14 a permit that is freed never or late is caught without a listener")
    void submissions_brokenWithoutListener_caught(BrokenBulkhead broken) {
        assertCaught(
                INVALID_RESULTS,
                MODEL_CHECKING,
                Submissions.WithoutListener.class,
                SubmissionsSpecification.class,
                broken,
                2);
    }

    @Test
    @Tag("broken")
    @DisplayName("AB-3 one permit too many is caught by counting")
    void places_broken_caught() {
        assertCaught(
                INVALID_RESULTS, MODEL_CHECKING, PermitCount.class, PermitCountSpecification.class, CHECK_THEN_ACT, 1);
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource(
            value = BrokenBulkhead.class,
            names = {"RELEASE_ONLY_ON_CANCEL", "TWO_STEP_DECISION"})
    @DisplayName("AB-10 AB-13 a lost permit and a wrong kind are caught when all is quiet")
    void endsDuringSubmit_broken_caught(BrokenBulkhead broken) {
        assertCaught(WRONG_AT_REST, MODEL_CHECKING, EndsDuringSubmit.class, EndsDuringSubmit.class, broken, 2);
    }

    @Test
    @Tag("broken")
    @DisplayName("AB-10 stress, too, compares with the specification")
    void submissions_brokenUnderStress_caught() {
        assertCaught(
                INVALID_RESULTS, STRESS, Submissions.class, SubmissionsSpecification.class, RELEASE_ONLY_ON_CANCEL, 2);
    }

    private static void assertCaught(
            String how, Strategy strategy, Class<?> subject, Class<?> specification, BrokenBulkhead broken, int limit) {
        assertThatThrownBy(() -> check(strategy, subject, specification, broken, limit))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining(how);
    }

    private static void check(
            Strategy strategy, Class<?> subject, Class<?> specification, BulkheadFactory factory, int limit) {
        Setting.factory = factory;
        Setting.limit = limit;
        boolean holds = !(factory instanceof BrokenBulkhead);
        strategy.check(subject, specification, holds);
    }
}

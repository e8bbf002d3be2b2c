package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.remote.ExhaustiveSearch.Step;
import io.tidegate.remote.broken.BrokenRemoteBulkhead;
import io.tidegate.remote.broken.RemoteBulkheadFactory;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExhaustiveTest {
    private static final int LENGTH = Integer.getInteger("tidegate.length", 5);
    private static final int LENGTH_UNTIL_CAUGHT = 6;
    private static final BackpressurePolicy QUEUE = BackpressurePolicy.queue(2, ExhaustiveSearch.TIMEOUT_MS);

    /** The log keeps five events, so that long scripts drop some. */
    private static ReferenceBulkhead.Settings settings(int cap, BackpressurePolicy policy) {
        return new ReferenceBulkhead.Settings(cap, policy, 5, 5, 2);
    }

    @Test
    @DisplayName("RB-3 to RB-6, RB-13 to RB-18: every script up to that length agrees with the reference, rejecting")
    void everyScript_reject_agrees() {
        List<Step> alphabet = List.of(
                Step.ACQUIRE_A,
                Step.ACQUIRE_B,
                Step.ACQUIRE_WITHOUT_CAPABILITY,
                Step.POLL_A,
                Step.RELEASE_OLDEST,
                Step.RELEASE_AGAIN,
                Step.TIME_BACK,
                Step.CAP_1,
                Step.CAP_2,
                Step.LATENCY);

        assertThat(ExhaustiveSearch.run(
                        RemoteBulkheadFactory.TIDEGATE, settings(2, BackpressurePolicy.reject()), alphabet, LENGTH))
                .isEqualTo((long) Math.pow(alphabet.size(), LENGTH));
    }

    @Test
    @DisplayName("RB-3 to RB-18: every script of up to so many operations agrees with the reference, queueing")
    void everyScript_queue_agrees() {
        List<Step> alphabet = List.of(
                Step.ACQUIRE_A,
                Step.ACQUIRE_B,
                Step.ACQUIRE_C,
                Step.POLL_A,
                Step.POLL_B,
                Step.CANCEL_A,
                Step.RELEASE_OLDEST,
                Step.WAIT_TO_TIMEOUT,
                Step.CAP_1,
                Step.CAP_2);

        assertThat(ExhaustiveSearch.run(RemoteBulkheadFactory.TIDEGATE, settings(1, QUEUE), alphabet, LENGTH))
                .isEqualTo((long) Math.pow(alphabet.size(), LENGTH));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("broken")
    @DisplayName("the search catches every broken bulkhead")
    void everyScript_broken_isCaught(BrokenRemoteBulkhead broken) {
        assertThatThrownBy(() ->
                        ExhaustiveSearch.run(broken, settings(2, QUEUE), List.of(Step.values()), LENGTH_UNTIL_CAUGHT))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("in [");
    }
}

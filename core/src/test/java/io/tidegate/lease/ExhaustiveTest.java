package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.ExhaustiveSearch.Step;
import io.tidegate.lease.broken.BrokenLease;
import io.tidegate.lease.broken.LeaseFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExhaustiveTest {
    private static final int LENGTH = Integer.getInteger("tidegate.length", 6);

    /** How many scripts there are of the two lengths that are run. */
    private static long scripts(long ofSix, long ofSeven) {
        return LENGTH == 7 ? ofSeven : ofSix;
    }

    @Test
    @DisplayName("WL-1 to WL-9: every script of up to so many operations on three offsets agrees with the reference")
    void everyScript_threeOffsets_agrees() {
        List<Step> alphabet = List.of(
                Step.ACQUIRE_1,
                Step.ACQUIRE_2,
                Step.ACQUIRE_3,
                Step.SUCCEED,
                Step.FAIL,
                Step.SUCCEED_WITH_THE_FIRST_TOKEN);

        assertThat(ExhaustiveSearch.run(LeaseFactory.TIDEGATE, alphabet, LENGTH, LENGTH))
                .isEqualTo(scripts(12_425, 68_002));
    }

    @Test
    @DisplayName(
            "WL-3 WL-7 WL-8 WL-13: and so does every one with forget and replay in which up to two others do nothing")
    void everyScript_forgetAndReplay_agrees() {
        List<Step> alphabet =
                List.of(Step.ACQUIRE_1, Step.ACQUIRE_2, Step.SUCCEED, Step.FAIL, Step.FORGET_1, Step.REPLAY_1);

        assertThat(ExhaustiveSearch.run(LeaseFactory.TIDEGATE, alphabet, 2, LENGTH))
                .isEqualTo(scripts(30_312, 117_090));
    }

    @Test
    @DisplayName("WL-5: so does every script one operation shorter, with a throwing source and one other idle step")
    void everyScript_throwingSource_agrees() {
        assertThat(ExhaustiveSearch.run(LeaseFactory.TIDEGATE, List.of(Step.values()), 1, LENGTH - 1))
                .isEqualTo(scripts(24_318, 119_358));
    }

    /** Faults that do not show with three small offsets, a still clock and unread messages. */
    private static final Set<BrokenLease> NOT_SEEN_HERE = EnumSet.of(
            BrokenLease.BOXED_COMPARISON, BrokenLease.RETRY_DATES_ANEW, BrokenLease.MISMATCH_TELLS_THE_TOKEN);

    @ParameterizedTest
    @EnumSource
    @DisplayName("the search catches the broken leases")
    void everyScript_broken_isCaught(BrokenLease broken) {
        if (NOT_SEEN_HERE.contains(broken)) {
            assertThat(ExhaustiveSearch.run(broken, List.of(Step.values()), 4, 4))
                    .isEqualTo(7_380);
        } else {
            assertThatThrownBy(() -> {
                        for (int length = 1; length <= 6; length++) {
                            ExhaustiveSearch.run(broken, List.of(Step.values()), 1, length);
                        }
                    })
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("in [");
        }
    }
}

package io.tidegate.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.slice.SliceLease.Urgency;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceLeaseTest {
    private final List<Urgency> calls = new ArrayList<>();
    private final SliceLease sliced = new SliceLease(false, 5, calls::add);
    private final SliceLease strict = new SliceLease(true, 5, calls::add);

    @Test
    void isLeased_atItsEnd_isNot() {
        sliced.renew(100, 0, 0);

        assertThat(sliced.isLeased(99)).isTrue();
        assertThat(sliced.isLeased(100)).isFalse();
        assertThat(sliced.leftMs(60)).isEqualTo(40);
        assertThat(sliced.leftMs(200)).isZero();
    }

    @Test
    void term_renewedInTime_goesOn() {
        sliced.renew(100, 0, 7);
        sliced.renew(200, 99, 9);

        assertThat(sliced.term().covers(8, 199)).isTrue();
        assertThat(sliced.term().covers(7, 199)).as("from before the term").isFalse();
        assertThat(sliced.term().covers(8, 200)).as("when it is over").isFalse();
    }

    @Test
    void term_renewedTooLate_isAnother() {
        sliced.renew(100, 0, 7);
        sliced.renew(200, 100, 9);

        assertThat(sliced.term().covers(9, 150)).as("from before the break").isFalse();
        assertThat(sliced.term().covers(10, 150)).isTrue();
    }

    @Test
    void kept_strict_isWhatIsInFlight() {
        assertThat(sliced.kept(5, 3)).isEqualTo(5);
        assertThat(strict.kept(5, 3)).isEqualTo(3);
        assertThat(strict.kept(3, 5)).as("no more than the slice").isEqualTo(3);
    }

    @Test
    void count_roomLeft_callsNobody() {
        sliced.heard(10);
        sliced.count(5, 4, 0, 0);
        strict.count(5, 5, 0, 0);

        assertThat(sliced.called()).isEqualTo(Urgency.NONE);
        assertThat(strict.called()).as("nobody waits").isEqualTo(Urgency.NONE);
    }

    @Test
    void count_noRoomLeft_callsSoonIfThereIsMoreToHave() {
        sliced.heard(5);
        sliced.count(5, 5, 1, 0);
        assertThat(sliced.called()).as("the slice is the cap").isEqualTo(Urgency.NONE);

        sliced.heard(6);
        sliced.count(5, 5, 1, 0);
        strict.count(5, 5, 1, 0);

        assertThat(sliced.called()).isEqualTo(Urgency.SOON);
        assertThat(strict.called()).isEqualTo(Urgency.SOON);
    }

    @Test
    void returned_somethingToGiveBack_callsNow() {
        sliced.returned(false);
        assertThat(sliced.called()).isEqualTo(Urgency.NONE);

        sliced.returned(true);
        strict.returned(false);

        assertThat(sliced.called()).isEqualTo(Urgency.NOW);
        assertThat(strict.called()).isEqualTo(Urgency.NOW);
    }

    @Test
    void take_afterCounting_beginsAnew() {
        sliced.count(5, 3, 2, 0);
        sliced.count(5, 2, 0, 4);

        assertThat(sliced.take(5, 2, 1, 9, false)).isEqualTo(new Demand(5, 2, 1, 9, false, 5, 4));
        assertThat(sliced.take(5, 2, 1, 9, true)).isEqualTo(new Demand(5, 2, 1, 9, true, 3, 0));
    }

    @Test
    void tellKeeper_toldBefore_isToldOnlyWhatIsMore() {
        sliced.missed();
        sliced.tellKeeper();
        sliced.missed();
        sliced.tellKeeper();
        sliced.returned(true);
        sliced.tellKeeper();

        assertThat(calls).containsExactly(Urgency.SOON, Urgency.NOW);
    }

    @Test
    void tellKeeper_keeperThrows_isToldAgain() {
        List<Urgency> told = new ArrayList<>();
        SliceLease lease = new SliceLease(false, 5, call -> {
            told.add(call);
            throw new IllegalStateException("for a test");
        });

        lease.missed();
        lease.tellKeeper();
        lease.tellKeeper();

        assertThat(told).containsExactly(Urgency.SOON, Urgency.SOON);
    }

    @Test
    void whyNone_anyState_saysWhatIsKnown() {
        assertThat(sliced.whyNone()).isEqualTo("the engine has not answered yet");

        sliced.failed(new IllegalStateException("away"));
        assertThat(sliced.whyNone()).contains("away");
        assertThat(sliced.lastFailure()).hasMessage("away");

        sliced.heard(10);
        assertThat(sliced.whyNone()).isEqualTo("the lease has ended");
        assertThat(sliced.lastFailure()).isNull();
    }
}

package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProbesTest {
    private static final long LIMIT = 1_000;
    private static final int MOST = CircuitBreaker.LARGEST_MAX_REQUESTS;

    private static long take(Probes probes, long now) {
        long take = probes.tryTake(now, LIMIT);
        assertThat(take).isNotEqualTo(Probes.NONE);
        return take;
    }

    private static int slot(long take) {
        return Stamp.slot(Probes.holder(take));
    }

    private static int sequence(long take) {
        return Stamp.sequence(Probes.holder(take));
    }

    @Test
    @DisplayName("CB-7 the first probe is in from the start, and all 64 have a slot of their own")
    void tryTake_all_everyOneHasItsSlot() {
        Probes probes = new Probes(MOST, 0);
        for (int slot = 1; slot < MOST; slot++) {
            long take = take(probes, 0);
            probes.enter(take);
            assertThat(slot(take)).isEqualTo(slot);
        }

        assertThat(probes.inFlight()).isEqualTo(MOST);
        assertThat(probes.tryTake(LIMIT - 1, LIMIT)).isEqualTo(Probes.NONE);
        assertThat(probes.isFull()).isTrue();
    }

    @Test
    @DisplayName("CB-7 a slot is held until it is freed, and then found again")
    void free_left_isFoundAgain() {
        Probes probes = new Probes(MOST, 0);
        for (int slot = 1; slot < MOST; slot++) {
            probes.enter(take(probes, 0));
        }
        assertThat(probes.leave(17, 1)).isEqualTo(Probes.End.IN_TIME);
        assertThat(probes.isFull()).isTrue();
        probes.free(17, 1);
        assertThat(probes.isFull()).isFalse();

        assertThat(Probes.holder(take(probes, 0))).isEqualTo(Stamp.holder(17, 2));
    }

    @Test
    @DisplayName("CB-8 nobody is refused for a take before it stands; one entered by another stands")
    void giveUp_enteredByAnother_false() {
        Probes probes = new Probes(2, 0);
        long take = take(probes, 0);
        assertThat(probes.isFull()).isFalse();
        assertThat(probes.refreshAndFindTaken(0)).isEqualTo(take);

        probes.enter(take);

        assertThat(probes.refreshAndFindTaken(0)).isEqualTo(Probes.NONE);
        assertThat(probes.isFull()).isTrue();
        assertThat(probes.giveUp(take)).isFalse();
    }

    @Test
    @DisplayName("CB-8 once a take was given up, nobody can be refused for it or have its slot")
    void enter_givenUp_changesNothing() {
        Probes probes = new Probes(2, 0);
        long take = take(probes, 0);
        assertThat(probes.giveUp(take)).isTrue();

        probes.enter(take);

        assertThat(probes.isFull()).isFalse();
        assertThat(probes.tryTake(LIMIT - 1, LIMIT)).isEqualTo(Probes.NONE);
        assertThat(probes.inFlight()).isEqualTo(1);
        assertThat(probes.leave(slot(take), sequence(take))).isEqualTo(Probes.End.UNKNOWN);
    }

    @Test
    @DisplayName(
            "CB-10 a slot that was taken and never entered is lost after the time of a probe, from when it was seen")
    void tryTake_takerNeverCameBack_losesItsSlot() {
        Probes probes = new Probes(1, 0);
        probes.leave(0, 1);
        probes.free(0, 1);
        long stopped = take(probes, 0);
        assertThat(probes.tryTake(5 * LIMIT, LIMIT)).isEqualTo(Probes.NONE);
        probes.enter(probes.refreshAndFindTaken(5 * LIMIT));

        assertThat(probes.tryTake(6 * LIMIT - 1, LIMIT)).isEqualTo(Probes.NONE);
        long next = take(probes, 6 * LIMIT);

        assertThat(slot(next)).isEqualTo(slot(stopped));
        assertThat(probes.leave(slot(stopped), sequence(stopped))).isEqualTo(Probes.End.EXPIRED);
    }

    @Test
    @DisplayName("CB-10 a slot whose holder never freed it is lost after the time of a probe, from when it was seen")
    void tryTake_leaverNeverFreed_losesItsSlot() {
        Probes probes = new Probes(1, 0);
        assertThat(probes.leave(0, 1)).isEqualTo(Probes.End.IN_TIME);
        assertThat(probes.tryTake(5 * LIMIT, LIMIT)).as("still being counted").isEqualTo(Probes.NONE);
        assertThat(probes.refreshAndFindTaken(5 * LIMIT)).isEqualTo(Probes.NONE);
        assertThat(probes.isFull()).isTrue();
        assertThat(probes.tryTake(6 * LIMIT - 1, LIMIT)).isEqualTo(Probes.NONE);

        long next = take(probes, 6 * LIMIT);
        probes.enter(next);
        probes.free(0, 1);

        assertThat(probes.isFull()).isTrue();
        assertThat(probes.leave(0, 1)).isEqualTo(Probes.End.UNKNOWN);
        assertThat(probes.leave(0, 2)).isEqualTo(Probes.End.IN_TIME);
    }

    @Test
    @DisplayName("CB-16 of the last 32 holders that lost a slot each is late once, and then misused")
    void leave_lostSlots_lateOnce() {
        Probes probes = new Probes(1, 0);
        long now = 0;
        for (int i = 0; i < 100; i++) {
            now += LIMIT;
            probes.enter(take(probes, now));
        }
        assertThat(probes.leave(0, 68)).as("further back").isEqualTo(Probes.End.EXPIRED);
        for (int sequence = 69; sequence <= 100; sequence++) {
            assertThat(probes.leave(0, sequence)).isEqualTo(Probes.End.EXPIRED);
            assertThat(probes.leave(0, sequence)).isEqualTo(Probes.End.UNKNOWN);
        }
        assertThat(probes.leave(0, 101)).isEqualTo(Probes.End.IN_TIME);
    }

    @Test
    @DisplayName("CB-17 a lowered limit closes the slots over it, and they keep all out until they are left")
    void withLimit_lowered_drains() {
        Probes three = new Probes(3, 0);
        three.enter(take(three, 0));
        three.enter(take(three, 0));

        Probes two = three.withLimit(2, 0);
        two.leave(0, 1);
        two.free(0, 1);
        assertThat(two.tryTake(0, LIMIT)).isEqualTo(Probes.NONE);
        assertThat(two.isFull()).isTrue();
        two.leave(2, 1);
        two.free(2, 1);

        assertThat(slot(take(two, 0))).isZero();
        assertThat(two.tryTake(0, LIMIT)).isEqualTo(Probes.NONE);
    }

    @Test
    @DisplayName("CB-17 a raised limit has slots for all, and those under way keep theirs")
    void withLimit_raised_hasRoom() {
        Probes one = new Probes(1, 0);
        Probes all = one.withLimit(MOST, 0);
        for (int slot = 1; slot < MOST; slot++) {
            all.enter(take(all, 0));
        }

        assertThat(all.tryTake(0, LIMIT)).isEqualTo(Probes.NONE);
        assertThat(all.leave(0, 1)).isEqualTo(Probes.End.IN_TIME);
    }
}

package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProbesTest {
    private static final long LIMIT = 1_000;

    private final Probes probes = new Probes();

    @Test
    @DisplayName("CB-7 the first probe's place is taken from the start, and takes are numbered on from there")
    void tryTake_numbersTakes() {
        assertThat(probes.tryTake(2, 0, LIMIT)).isEqualTo(2);
        assertThat(probes.tryTake(2, 0, LIMIT)).isEqualTo(-2);
        assertThat(probes.inFlight()).isEqualTo(2);
    }

    @Test
    @DisplayName("CB-7 all 64 places have a slot of their own, and a freed one is found again")
    void enter_all_everyOneHasItsSlot() {
        int most = CircuitBreaker.LARGEST_MAX_REQUESTS;
        for (int slot = 0; slot < most; slot++) {
            assertThat(Stamp.slot(probes.enter(0))).isEqualTo(slot);
            probes.tryTake(most, 0, LIMIT);
        }
        assertThat(probes.inFlight()).isEqualTo(most);

        probes.leave(17, 1);
        probes.free(17);
        assertThat(probes.tryTake(most, 0, LIMIT)).isEqualTo(most + 1);

        assertThat(probes.enter(0)).isEqualTo(Stamp.holder(17, 2));
    }

    @Test
    @DisplayName("CB-8 takes that somebody was refused for stand when their period is over, and no later ones")
    void stands_vouchedFor_upToThere() {
        assertThat(probes.vouchFor(3)).isTrue();
        assertThat(probes.vouchFor(2)).isTrue();

        assertThat(probes.stands(4)).isFalse();
        assertThat(probes.stands(3)).isTrue();
    }

    @Test
    @DisplayName("CB-8 once a take was given up, nobody can be refused for it")
    void vouchFor_givenUp_false() {
        probes.vouchFor(2);
        assertThat(probes.stands(3)).isFalse();

        assertThat(probes.vouchFor(3)).isFalse();
        assertThat(probes.vouchFor(2)).isTrue();
        assertThat(probes.stands(3)).isFalse();
    }
}

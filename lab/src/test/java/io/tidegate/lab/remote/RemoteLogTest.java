package io.tidegate.lab.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_CAP_CHANGED;
import static io.tidegate.remote.BulkheadEventCode.RB_DRAIN_ACTIVE;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_QUEUED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.remote.LoweredCap.Phase;
import io.tidegate.lab.remote.RemoteLog.Drain;
import io.tidegate.lab.remote.RemoteLog.Standing;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RemoteLogTest {
    private final RemoteScript script = new RemoteScript();
    private final RemoteLog log = script.log;

    @Test
    void count_wholeScript_countsEachEventInItsPhase() {
        script.before().lowered().raised().closing();

        assertThat(log.count(Phase.BEFORE, RB_PERMIT_ACQUIRED)).isEqualTo(4);
        assertThat(log.count(Phase.LOWERED, RB_CAP_CHANGED)).isEqualTo(1);
        assertThat(log.count(Phase.LOWERED, RB_DRAIN_ACTIVE)).isEqualTo(4);
        assertThat(log.count(Phase.LOWERED, RB_REQUEST_QUEUED)).isEqualTo(3);
        assertThat(log.count(Phase.LOWERED, RB_REQUEST_REJECTED)).isEqualTo(2);
        assertThat(log.count(Phase.AFTER, RB_PERMIT_ACQUIRED)).isEqualTo(3);
        assertThat(log.count(Phase.CLOSING, RB_PERMIT_RELEASED)).isEqualTo(4);
    }

    @Test
    void during_phase_beginsAsThePhaseBeforeItEnded() {
        script.before().lowered().raised().closing();

        assertThat(log.during(Phase.LOWERED))
                .startsWith(new Standing(1_050, 4, 4, 0, false), new Standing(1_300, 4, 2, 0, true))
                .endsWith(new Standing(1_530, 2, 2, 3, false));
    }

    @Test
    void during_timeWithoutEvents_isAsItWasBefore() {
        script.before().lowered();

        assertThat(log.during(Duration.ofMillis(200), Duration.ofMillis(300)))
                .containsExactly(new Standing(1_050, 4, 4, 0, false));
    }

    @Test
    void drain_inFlightBelowTheCap_isOver() {
        script.before().lowered();

        assertThat(log.drain()).contains(new Drain(4, Duration.ofMillis(220)));
        assertThat(log.admittedWhileDraining()).isZero();
    }

    @Test
    void drain_capNeverLowered_isEmpty() {
        script.before();

        assertThat(log.drain()).isEmpty();
    }

    @Test
    void lineEmptied_capRaised_isWhenTheLastIsAdmitted() {
        script.before().lowered().raised();

        assertThat(log.lineEmptied()).contains(Duration.ofMillis(55));
        assertThat(log.admittedOutOfTurn()).isZero();
    }

    @Test
    void lineEmptied_capNotRaised_isEmpty() {
        script.before().lowered();

        assertThat(log.lineEmptied()).isEmpty();
    }

    @Test
    void accept_admissionWhileDraining_isCounted() {
        log.accept(event(RB_CAP_CHANGED, 3, 2, "from=4 to=2"));
        log.accept(event(RB_PERMIT_ACQUIRED, 4, 2, "permit=1 request=early"));

        assertThat(log.admittedWhileDraining()).isEqualTo(1);
    }

    @Test
    void accept_newcomerBeforeOneWhoWaits_isCounted() {
        log.accept(event(RB_REQUEST_QUEUED, 4, 4, "position=1 request=first"));
        log.accept(event(RB_PERMIT_ACQUIRED, 4, 4, "permit=1 request=second"));
        log.accept(event(RB_PERMIT_ACQUIRED, 4, 4, "permit=2 request=first"));

        assertThat(log.admittedOutOfTurn()).isEqualTo(1);
    }

    private static BulkheadEvent event(BulkheadEventCode code, int inFlight, int cap, String detail) {
        return new BulkheadEvent(code, 1, inFlight, cap, detail);
    }
}

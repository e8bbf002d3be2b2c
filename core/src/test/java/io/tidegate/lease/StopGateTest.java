package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StopGateTest {
    private final StopGate gate = new StopGate();
    private final CompletableFuture<Void> empty = gate.empty().toCompletableFuture();

    @Test
    void close_nobodyInside_isEmptyAtOnce() {
        assertThat(gate.enter()).isTrue();
        gate.leave();
        assertThat(empty).isNotDone();
        assertThat(gate.isClosed()).isFalse();

        gate.close();
        gate.close();

        assertThat(empty).isCompleted();
        assertThat(gate.isClosed()).isTrue();
        assertThat(gate.enter()).isFalse();
    }

    @Test
    void close_twoInside_isEmptyWhenTheLastHasLeft() {
        gate.enter();
        gate.enter();
        gate.close();

        gate.leave();
        assertThat(empty).isNotDone();
        gate.leave();

        assertThat(empty).isCompleted();
    }
}

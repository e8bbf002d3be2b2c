package io.tidegate.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.reading.Measures;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RoundTripsTest {
    private final RoundTrips trips = new RoundTrips();

    private Measures read() {
        Measures measures = new Measures();
        trips.read(measures);
        return measures;
    }

    @Test
    @DisplayName("OB-4 round trips are timed by operation, rare ones together, and those that fail are counted, too")
    void ask_answeredOrNot_isTold() {
        assertThat(read().counts).containsEntry("errors", 0L);
        assertThat(trips.<String>ask("acquire", () -> "answer")).isEqualTo("answer");
        trips.ask("inspect", () -> 1);
        trips.ask("replay", () -> 1);
        IllegalStateException away = new IllegalStateException();
        assertThatThrownBy(() -> trips.ask("acquire", () -> {
                    throw away;
                }))
                .isSameAs(away);
        Measures told = read();
        assertThat(told.times.get("round.trip[operation, acquire]").count()).isEqualTo(2);
        assertThat(told.times.get("round.trip[operation, other]").count()).isEqualTo(2);
        assertThat(told.times.get("round.trip[operation, renew]").count()).isZero();
        assertThat(told.times).hasSizeLessThanOrEqualTo(12);
        assertThat(told.counts).containsEntry("errors", 1L);
    }

    @Test
    @DisplayName("OB-5 nothing is timed until the first reading, but errors are counted")
    void ask_unread_isNotTimed() {
        trips.ask("acquire", () -> 1);
        assertThatThrownBy(() -> trips.ask("fail", () -> {
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(read().times.values()).allMatch(time -> time.count() == 0);
        assertThat(read().counts).containsEntry("errors", 1L);
    }
}

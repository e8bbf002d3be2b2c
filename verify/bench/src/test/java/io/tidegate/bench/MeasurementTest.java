package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {
    @Test
    void median_oddNumber_middleOfEachQuantity() {
        assertThat(Measurement.median(List.of(calm(900, 24), calm(3, 0), calm(5, 48))))
                .isEqualTo(calm(5, 24));
    }

    @Test
    void median_evenNumber_betweenTheMiddleTwo() {
        assertThat(Measurement.median(List.of(calm(2, 0), calm(4, 0)))).isEqualTo(calm(3, 0));
    }

    @Test
    void median_someDisturbed_countsTheOthers() {
        assertThat(Measurement.median(List.of(disturbed(900, 0), calm(5, 0), disturbed(800, 0))))
                .isEqualTo(calm(5, 0));
    }

    @Test
    void median_allDisturbed_isDisturbed() {
        assertThat(Measurement.median(List.of(disturbed(900, 0), disturbed(800, 0))))
                .isEqualTo(disturbed(850, 0));
    }

    private static Measurement calm(double nanos, double bytes) {
        return new Measurement(nanos, bytes, nanos, false);
    }

    private static Measurement disturbed(double nanos, double bytes) {
        return new Measurement(nanos, bytes, nanos, true);
    }
}

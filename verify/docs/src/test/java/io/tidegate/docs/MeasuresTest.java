package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Part;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares the table of measures with the measures that parts report. */
class MeasuresTest {
    @Test
    @DisplayName("OB-3 the table has every measure that parts report, and no other")
    void table_hasEveryMeasure() {
        List<String> table = Measure.table().stream().map(Measure::reported).toList();

        try (EveryPart parts = new EveryPart()) {
            assertThat(table).containsExactlyInAnyOrderElementsOf(parts.reported());
        }
    }

    @Test
    @DisplayName("OB-1 there are parts of every kind")
    void parts_areOfEveryKind() {
        try (EveryPart parts = new EveryPart()) {
            assertThat(parts.registry.parts().stream().map(Part::kind).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrder(
                            "bulkhead", "breaker", "remote", "cluster", "group", "lease", "guard", "rate");
        }
    }
}

package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Part;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of measures beside what parts tell. */
class MeasuresTest {
    @Test
    @DisplayName("OB-3 the table has every measure that parts tell, and no other")
    void table_hasEveryMeasure() {
        List<String> table = Measure.table().stream().map(Measure::told).toList();

        assertThat(table).doesNotHaveDuplicates();
        try (EveryPart parts = new EveryPart()) {
            assertThat(new TreeSet<>(table)).isEqualTo(parts.told());
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

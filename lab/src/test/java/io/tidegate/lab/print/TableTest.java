package io.tidegate.lab.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void render_cellsOfAnyWidth_alignsLabelsLeftAndCellsRight() {
        String text = new Table("one", "the other")
                .row("short", "1", "2")
                .row("a longer label", "12,345", "-")
                .render();

        assertThat(text.lines())
                .containsExactly(
                        "                    one   the other",
                        "short                 1           2",
                        "a longer label   12,345           -");
    }

    @Test
    void row_tooFewCells_isRefused() {
        Table table = new Table("one", "the other");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.row("label", "1"))
                .withMessage("cells: 1 (expected: 2)");
    }

    @Test
    void figures_quantities_areNumbersWithTheirUnit() {
        Table table = new Table("one")
                .row("a", "1,234.5 ms")
                .row("  b", "12%")
                .row("c", "7")
                .row("d", "30 28 12");

        assertThat(table.figures())
                .extracting(row -> row.get("figure"), row -> row.get("runs"))
                .containsExactly(
                        tuple("a", Map.of("one", Map.of("text", "1,234.5 ms", "value", 1234.5, "unit", "ms"))),
                        tuple("b", Map.of("one", Map.of("text", "12%", "value", 12.0, "unit", "%"))),
                        tuple("c", Map.of("one", Map.of("text", "7", "value", 7.0, "unit", ""))),
                        tuple("d", Map.of("one", Map.of("text", "30 28 12"))));
    }
}

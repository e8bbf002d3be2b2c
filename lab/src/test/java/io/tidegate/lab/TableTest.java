package io.tidegate.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
}

package io.tidegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutputTextTest {
    private static final int ROWS = 1_000;

    private static Map<String, @Nullable Object> row(
            String domain, @Nullable Object leased, @Nullable Object holder, String reason) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("domain", domain);
        row.put("leased", leased);
        row.put("heldBy", holder);
        row.put("reason", reason);
        return row;
    }

    @Test
    @DisplayName("a column is as wide as its widest cell, and to the right if there is a number in it")
    void table_rows_areAligned() {
        assertThat(OutputText.table(List.of(row("anna", null, "worker-1", ""), row("b", 1234567L, null, "late"))))
                .isEqualTo("""
                        domain    leased   held by    reason
                        anna           -   worker-1
                        b        1234567   -          late
                        """);
    }

    @Test
    @DisplayName("what is wide on a terminal, or has no width there, leaves the next column in its place")
    void table_wideNames_areAligned() {
        assertThat(OutputText.table(List.of(
                        row("日本ー。ＡB", 1L, null, "x"),
                        row("한국어ｱｲ", 1L, null, "x"),
                        row("e\u0301clair", 1L, null, "x"),
                        row("ok\ud83d\ude00", 1L, null, "x"))))
                .isEqualTo("""
                        domain        leased   held by   reason
                        日本ー。ＡB        1   -         x
                        한국어ｱｲ           1   -         x
                        e\u0301clair             1   -         x
                        ok\ud83d\ude00               1   -         x
                        """);
    }

    @Test
    @DisplayName("each cell is looked at a few times, not once for each row")
    void table_manyRows_looksAtEachCellAFewTimes() {
        AtomicInteger looks = new AtomicInteger();
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(new CountingRow(row("domain-" + i, null, null, "none"), looks));
        }
        assertThat(OutputText.table(rows).lines()).hasSize(ROWS + 1);
        assertThat(looks).hasValueLessThanOrEqualTo(3 * 4 * ROWS);
    }

    /** A row that counts how often one of its cells is read. */
    private static final class CountingRow extends LinkedHashMap<String, @Nullable Object> {
        private static final long serialVersionUID = 1L;

        private final AtomicInteger looks;

        CountingRow(Map<String, @Nullable Object> cells, AtomicInteger looks) {
            super(cells);
            this.looks = looks;
        }

        @Override
        public @Nullable Object get(Object key) {
            looks.incrementAndGet();
            return super.get(key);
        }
    }
}

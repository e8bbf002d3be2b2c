package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownTableTest {
    @Test
    void toString_textThatBeginsWithANumber_staysText() {
        MarkdownTable table = new MarkdownTable(List.of("by", "ns"));
        table.add(List.of("read + clock", "20.1"));
        table.add(List.of("2 writes", "~9"));
        table.add(List.of("Tidegate", ""));

        assertThat(table).hasToString("""
                | by           |   ns |
                |--------------|-----:|
                | read + clock | 20.1 |
                | 2 writes     |   ~9 |
                | Tidegate     |      |
                """);
    }
}

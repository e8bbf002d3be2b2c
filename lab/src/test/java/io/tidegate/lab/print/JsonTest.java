package io.tidegate.lab.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void write_everyKind_isJson() {
        assertThat(Json.write(Map.of("a", List.of(1, 2.5, true, "x")))).isEqualTo("{\"a\":[1,2.5,true,\"x\"]}");
    }

    @Test
    void write_textWithQuotesAndLines_isEscaped() {
        assertThat(Json.write("a \"b\" \\ c\nd")).isEqualTo("\"a \\\"b\\\" \\\\ c\\u000ad\"");
    }
}

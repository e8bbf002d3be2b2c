package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTest {
    private static final Part ONE = new Part("one", "One", List.of(), List.of(), List.of());
    private static final Part TWO = new Part("two", "Two", List.of(), List.of(), List.of());

    @Test
    void parse_nothing_allPartsInFull() {
        assertThat(parse()).isEqualTo(new Request(List.of(ONE, TWO), Effort.FULL, false));
    }

    @Test
    void parse_partAndOptions_inAnyOrder() {
        Request expected = new Request(List.of(TWO), Effort.QUICK, true);
        assertThat(parse("two", "--quick", "--write")).isEqualTo(expected);
        assertThat(parse("--write", "two", "--quick")).isEqualTo(expected);
    }

    @Test
    void parse_unknownWord_namesIt() {
        assertThatThrownBy(() -> parse("three"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'three'");
    }

    @Test
    void command_repeatsTheRequest() {
        assertThat(parse("one", "--write", "--quick").command(ONE)).isEqualTo("./tidegate bench one --quick --write");
        assertThat(parse().command(TWO)).isEqualTo("./tidegate bench two");
    }

    @Test
    void usage_namesEveryPart() {
        assertThat(Request.usage(List.of(ONE, TWO))).contains("one, two");
    }

    private static Request parse(String... words) {
        return Request.parse(List.of(ONE, TWO), List.of(words));
    }
}

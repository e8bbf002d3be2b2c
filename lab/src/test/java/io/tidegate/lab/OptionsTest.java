package io.tidegate.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @Test
    void parse_nothing_asksForNothing() {
        Options options = Options.parse();

        assertThat(options.scene()).isEmpty();
        assertThat(options.open()).isFalse();
        assertThat(options.port()).isZero();
    }

    @Test
    void parse_sceneAndOptions_inAnyOrder() {
        Options options = Options.parse("--json", "lease", "--store", "memory");

        assertThat(options.scene()).contains("lease");
        assertThat(options.json()).isTrue();
        assertThat(options.store()).contains("memory");
    }

    @Test
    void parse_tour_opensThePage() {
        Options options = Options.parse("--tour", "overload", "--port", "8080");

        assertThat(options.open()).isTrue();
        assertThat(options.tour()).contains("overload");
        assertThat(options.port()).isEqualTo(8080);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port 70000 | --port: 70000 (expected: 0 to 65535)",
                "--port near | --port: near (expected: 0 to 65535)",
                "--port | --port: nothing (expected: a value after it)",
                "--clsoe | option: --clsoe (expected: one of those below)",
                "guard lease | option: lease (expected: one of those below)",
                "--open --json | --open: with a scene, --headless or --json (expected: the page or a scene)",
                "guard --open | --open: with a scene, --headless or --json (expected: the page or a scene)"
            })
    void parse_notUnderstood_saysWhy(String args, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(args.split(" ")))
                .withMessage(message);
    }
}

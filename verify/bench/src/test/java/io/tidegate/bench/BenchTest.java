package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchTest {
    @Test
    void run_unknownPart_exitsWith2() throws Exception {
        assertThat(Bench.run("bulkheads")).isEqualTo(2);
    }

    @Test
    void run_unknownOption_exitsWith2() throws Exception {
        assertThat(Bench.run("bulkhead", "--slow")).isEqualTo(2);
    }

    @Test
    void parts_haveNamesOfTheirOwn() {
        assertThat(Bench.PARTS).extracting(Part::name).doesNotHaveDuplicates();
    }
}

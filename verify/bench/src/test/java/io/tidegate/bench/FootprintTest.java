package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FootprintTest {
    private static final int THINGS = 10_000;

    private static Object kilobytes() {
        return new byte[THINGS][1_000];
    }

    @Test
    void bytes_ofArrays_areTheirSize() {
        Footprint footprint = new Footprint("array", "the JDK", THINGS, FootprintTest::kilobytes);

        assertThat(footprint.bytes()).isEqualTo(1_016 + 4, Offset.offset(0.01));
    }

    @Test
    void bytes_withoutForeignObjects_areTheRest() {
        byte[][] arrays = new byte[THINGS][1_000];
        Footprint footprint =
                new Footprint("reference", "the JDK", THINGS, () -> arrays).without(List.of((Object[]) arrays));

        assertThat(footprint.bytes()).isEqualTo(4, Offset.offset(0.01));
    }

    @Test
    void table_limits_areJudged() {
        String table = Footprint.table(List.of(
                new Footprint("array", "anybody", THINGS, FootprintTest::kilobytes),
                new Footprint("array", "Tidegate", THINGS, FootprintTest::kilobytes, 2_000),
                new Footprint("small array", "Tidegate", THINGS, FootprintTest::kilobytes, 500)));

        assertThat(table.lines().map(line -> line.replaceAll(" +", " ").replaceAll("\\d{3,4} \\|", "n |")))
                .containsExactly(
                        "| kept in memory | by | B each | limit | verdict |",
                        table.lines().toList().get(1),
                        "| array | anybody | n | | |",
                        "| | Tidegate | n | ≤ n | met |",
                        "| small array | Tidegate | n | ≤ n | MISSED |");
    }
}

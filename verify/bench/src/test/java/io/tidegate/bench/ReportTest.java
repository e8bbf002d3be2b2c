package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Contestant FLOOR = Contestant.floor("floor", Object.class);
    private static final Contestant SLOW_PEER = Contestant.peer("slow peer", Object.class);
    private static final Contestant FAST_PEER = Contestant.peer("fast peer", Object.class);
    private static final Contestant TIDEGATE = Contestant.tidegate("Tidegate", Object.class);

    private final Map<Case, Measurement> measured = new HashMap<>();

    @Test
    void costs_showRatiosToTheFloorAndTheFastestPeer() {
        Row row = row();
        measure(row, FLOOR, 4, 0.004);
        measure(row, SLOW_PEER, 160, 240);
        measure(row, FAST_PEER, 8, 48);
        measure(row, TIDEGATE, 5, 0);

        assertThat(report(row)).startsWith("""
                | work  | by        | t1 ns | × floor | × best peer |   B | t2 ns | × floor | × best peer |   B |
                |-------|-----------|------:|--------:|------------:|----:|------:|--------:|------------:|----:|
                | a job | floor     |     4 |       1 |        0.50 |   0 |     8 |       1 |        0.50 |   0 |
                |       | slow peer |   160 |      40 |          20 | 240 |   320 |      40 |          20 | 240 |
                |       | fast peer |     8 |       2 |           1 |  48 |    16 |       2 |           1 |  48 |
                |       | Tidegate  |     5 |    1.25 |        0.63 |   0 |    10 |    1.25 |        0.63 |   0 |
                """);
    }

    @Test
    void targets_aboveTheLimit_areMissed() {
        Row row = row(
                Target.time(1, 1.2, "floor"),
                Target.time(2, 1.3, "floor"),
                Target.nanos(1, 5),
                Target.nanos(2, 9.5),
                Target.bytes(1, 0),
                Target.memory(1, 1, "fast peer"));
        measure(row, FLOOR, 4, 0);
        measure(row, SLOW_PEER, 160, 240);
        measure(row, FAST_PEER, 8, 48);
        measure(row, TIDEGATE, 5, 0.4);

        assertThat(report(row).lines().skip(11))
                .containsExactly(
                        "| a job      |       1 | ≤ 1.20× floor           |   1.25× | MISSED  |",
                        "| a job      |       2 | ≤ 1.30× floor           |   1.25× | met     |",
                        "| a job      |       1 | ≤ 5 ns                  |    5 ns | met     |",
                        "| a job      |       2 | ≤ 9.50 ns               |   10 ns | MISSED  |",
                        "| a job      |       1 | ≤ 0 B                   |     0 B | met     |",
                        "| a job      |       1 | ≤ 1× fast peer in bytes |      0× | met     |");
    }

    @Test
    void targets_ofZeroBytes_areMissedByTheSmallestObject() {
        Row row = row(Target.bytes(1, 0));
        measure(row, FLOOR, 4, 0);
        measure(row, SLOW_PEER, 4, 0);
        measure(row, FAST_PEER, 4, 0);
        measure(row, TIDEGATE, 4, 16);

        assertThat(report(row)).contains("16 B | MISSED");
    }

    @Test
    void report_disturbedMeasurement_isUnsureOfTimesButNotOfBytes() {
        Row row = new Row(
                "a job",
                "job",
                List.of(FLOOR, TIDEGATE),
                List.of(Target.time(1, 2, "floor"), Target.time(2, 2, "floor"), Target.bytes(1, 0)));
        measure(row, FLOOR, 4, 0);
        measure(row, TIDEGATE, 4, 0);
        measured.put(new Case(row, FLOOR, 1), new Measurement(4, 0, 4, true));

        assertThat(report(row))
                .contains("| a job | floor    |    ~4 |       1 |           – | 0 |     8 |")
                .contains("|       1 | ≤ 2× floor |     ~1× | unsure  |")
                .contains("|       2 | ≤ 2× floor |      1× | met     |")
                .contains("|       1 | ≤ 0 B      |     0 B | met     |");
    }

    @Test
    void costs_withoutPeers_haveNoRatioToThem() {
        Row row = new Row("a job", "job", List.of(FLOOR, TIDEGATE), List.of());
        measure(row, FLOOR, 4, 0);
        measure(row, TIDEGATE, 4, 0);

        assertThat(report(row)).contains("–");
    }

    @Test
    void costs_rowNotDoneOnSomeThreads_hasEmptyCells() {
        Row one = new Row("one", "job", List.of(FLOOR, TIDEGATE), List.of()).on(1);
        Row eight = new Row("eight", "job", List.of(FLOOR, TIDEGATE), List.of()).on(8);
        for (Row row : List.of(one, eight)) {
            measure(row, FLOOR, 4, 0);
            measure(row, TIDEGATE, 5, 0);
        }

        assertThat(report(one, eight).lines().limit(6))
                .containsExactly(
                        "| work  | by       | t1 ns | × floor | × best peer | B | t8 ns | × floor | × best peer | B |",
                        "|-------|----------|------:|--------:|------------:|--:|------:|--------:|------------:|--:|",
                        "| one   | floor    |     4 |       1 |           – | 0 |       |         |             |   |",
                        "|       | Tidegate |     5 |    1.25 |           – | 0 |       |         |             |   |",
                        "| eight | floor    |       |         |             |   |    32 |       1 |           – | 0 |",
                        "|       | Tidegate |       |         |             |   |    40 |    1.25 |           – | 0 |");
    }

    @Test
    void targets_byAnotherContestant_nameAndJudgeIt() {
        Contestant other = Contestant.tidegate("Tidegate, twice", Object.class);
        Row row = new Row(
                "a job",
                "job",
                List.of(FLOOR, TIDEGATE, other),
                List.of(Target.nanos(1, 7), Target.nanos(1, 7).by("Tidegate, twice")));
        measure(row, FLOOR, 4, 0);
        measure(row, TIDEGATE, 5, 0);
        measure(row, other, 10, 0);

        assertThat(report(row))
                .contains("| a job                  |       1 | ≤ 7 ns |    5 ns | met     |")
                .contains("| a job, Tidegate, twice |       1 | ≤ 7 ns |   10 ns | MISSED  |");
    }

    @Test
    void costs_ofPartThatShowsProcessorTime_haveIt() {
        Row row = new Row("a job", "job", List.of(FLOOR, TIDEGATE), List.of(Target.processorNanos(1, 9))).on(1);
        measure(row, FLOOR, 4, 0);
        measure(row, TIDEGATE, 5, 0);
        Part part = new Part("part", "Part", List.of(), List.of(row), List.of(), true, List.of());

        assertThat(new Report(part, measured).toString())
                .contains("| work  | by       | t1 ns | CPU ns | × floor | × best peer | B |")
                .contains("|       | Tidegate |     5 |     10 |    1.25 |           – | 0 |")
                .contains("| ≤ 9 ns CPU | 10 ns CPU | MISSED  |");
    }

    @Test
    void notes_standBelowTheCosts() {
        Row row = new Row("a job", "job", List.of(FLOOR, TIDEGATE), List.of());
        measure(row, FLOOR, 4, 0);
        measure(row, TIDEGATE, 4, 0);

        assertThat(report(row)).contains("|\n\n- a note\n\n| target for");
    }

    @Test
    void report_caseNotMeasured_namesIt() {
        assertThatThrownBy(() -> report(row())).hasMessage("not measured: a job · floor · t1");
    }

    private static Row row(Target... targets) {
        return new Row("a job", "job", List.of(FLOOR, SLOW_PEER, FAST_PEER, TIDEGATE), List.of(targets));
    }

    /** Each further thread adds the same time. */
    private void measure(Row row, Contestant contestant, double nanos, double bytes) {
        for (int threads : row.threads()) {
            measured.put(new Case(row, contestant, threads), new Measurement(nanos * threads, bytes, 2 * nanos, false));
        }
    }

    private String report(Row... rows) {
        return new Report(new Part("part", "Part", List.of(), List.of(rows), List.of("a note")), measured).toString();
    }
}

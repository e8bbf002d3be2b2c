package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedLogsTest {
    private static final int SCRIPTS = 4;

    @TempDir
    Path folder;

    private final RandomLife life = new RandomLife();
    private int plays;

    private List<Check> check(RecordedLogs.Script script) throws IOException {
        return new RecordedLogs(folder, script, SCRIPTS, new ProgressLine(new Printed().stream(), false)).check();
    }

    private List<String> failed(RecordedLogs.Script script) throws IOException {
        return check(script).stream()
                .filter(check -> check.outcome() != Outcome.PASSED)
                .map(check -> check.rules().get(0))
                .toList();
    }

    @Test
    void check_realBulkhead_allSixInvariantsHold() throws IOException {
        assertThat(check(life))
                .allSatisfy(check -> assertThat(check.failure()).isEmpty())
                .allSatisfy(check -> assertThat(check.outcome()).isEqualTo(Outcome.PASSED))
                .flatExtracting(Check::rules)
                .containsExactlyInAnyOrderElementsOf(Rule.read(Repository.ROOT.resolve(Part.REMOTE.page())).stream()
                        .map(Rule::name)
                        .filter(name -> name.startsWith("INV-"))
                        .toList());
    }

    @Test
    void check_otherAnswersTheSecondTime_isNotDeterministic() throws IOException {
        assertThat(failed((seed, sink) -> {
                    List<String> answers = new ArrayList<>(life.play(seed, sink));
                    answers.add("play " + plays++);
                    return answers;
                }))
                .containsExactly("INV-RB-DETERMINISTIC");
    }

    @Test
    void check_otherLogTheSecondTime_isNotDeterministic() throws IOException {
        assertThat(failed((seed, sink) -> {
                    long later = plays++;
                    return life.play(
                            seed,
                            event -> sink.accept(new BulkheadEvent(
                                    event.eventCode(),
                                    event.nowMs() + later,
                                    event.inFlight(),
                                    event.maxInFlight(),
                                    event.detail())));
                }))
                .containsExactly("INV-RB-DETERMINISTIC");
    }

    @Test
    void check_permitBeyondTheCap_isNotCapped() throws IOException {
        assertThat(failed((seed, sink) -> {
                    List<String> answers = life.play(seed, sink);
                    beyondTheCap(sink);
                    return answers;
                }))
                .isNotEmpty()
                .doesNotContain("INV-RB-DETERMINISTIC");
        assertThat(failed((seed, sink) -> {
                    beyondTheCap(sink);
                    return life.play(seed, ignored -> {});
                }))
                .contains("INV-RB-CAPPED");
    }

    private static void beyondTheCap(Consumer<? super BulkheadEvent> sink) {
        for (int permit = 1; permit <= 2; permit++) {
            sink.accept(new BulkheadEvent(
                    BulkheadEventCode.RB_PERMIT_ACQUIRED, 0, permit, 1, "permit=" + permit + " request=r" + permit));
        }
    }

    @Test
    void check_codeThatNoLogHas_isNotAuditable() throws IOException {
        assertThat(failed((seed, sink) -> life.play(seed, event -> {
                    if (event.eventCode() != BulkheadEventCode.RB_LATENCY_REPORT) {
                        sink.accept(event);
                    }
                })))
                .containsExactly("INV-RB-AUDITABLE");
    }
}

package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest extends SceneTest {
    private static final LoadScript SMALL = new LoadScript(
            List.of(new LoadScript.Phase("calm", 1, 10, 0, 5), new LoadScript.Phase("brown-out", 1, 20, 50, 20)));

    @TempDir
    private Path folder;

    @Test
    void play_smallScript_printsATableAndWritesOnePageThatNeedsNothingElse() throws Exception {
        Path file = folder.resolve("page.html");
        new Comparison(SMALL, 0, file).play(screen);

        assertThat(printed())
                .contains("unprotected", "resilience4j 2.4.0", "Tidegate", "answered in time", file.toString());
        String html = Files.readString(file);
        assertThat(html)
                .contains("<svg", "Answered in time", "Refused", "p99", "Memory allocated")
                .contains("Retry ( CircuitBreaker ( TimeLimiter ( Bulkhead ( call ) ) ) )", "budget", "brown-out")
                .doesNotContain("<script", "http:", "https:", "src=", "href=", "@import", "url(");
        assertThat(html.split("<path class=\"line", -1)).hasSize(1 + 3 + 4 * 3);
    }

    @Test
    void run_smallScript_everyCallHasOneEndInItsSecond() throws Exception {
        new Comparison(SMALL, 0, folder.resolve("none.html")).run(screen).forEach((contender, history) -> {
            assertThat(calls(history.total())).as(contender.name()).isEqualTo(SMALL.calls());
            assertThat(history.seconds().stream().map(ComparisonTest::calls)).containsExactly(10, 20);
            assertThat(history.total().allocated()).isPositive();
        });
    }

    private static int calls(CallHistory.Second second) {
        return second.goodput() + second.refused() + second.late() + second.failed();
    }

    @Test
    void contenders_fourPending_theProtectedOnesRefuseTheFifth() {
        try (ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor()) {
            for (Contender contender : List.of(Contender.resilience4j(scheduler), Contender.tidegate())) {
                for (int i = 0; i < 4; i++) {
                    contender.gate().submit(CompletableFuture::new);
                }
                CallHistory history = new CallHistory(1);
                contender
                        .gate()
                        .submit(CompletableFuture::new)
                        .handle((status, error) -> {
                            history.ended(0, 1, error, contender);
                            return status;
                        })
                        .toCompletableFuture()
                        .join();

                assertThat(history.total().refused()).as(contender.name()).isEqualTo(1);
            }
            scheduler.shutdownNow();
        }
    }

    @Test
    void page_calmLoadNotAnswered_saysThatItComparesNothing() {
        CallHistory answered = new CallHistory(2);
        CallHistory refused = new CallHistory(2);
        for (int i = 0; i < 10; i++) {
            answered.ended(0, 1_000_000, null, Contender.unprotected());
            refused.ended(0, 1_000_000, new IOException("status 503"), Contender.unprotected());
        }

        assertThat(new ComparisonPage(SMALL, Map.of(Contender.unprotected(), answered)).html())
                .doesNotContain(ComparisonPage.NOT_CALM);
        assertThat(new ComparisonPage(SMALL, Map.of(Contender.unprotected(), refused)).html())
                .contains(ComparisonPage.NOT_CALM);
    }

    @Test
    void page_secondWithoutAWait_isNoWaitOfNothing() {
        CallHistory answered = new CallHistory(2);
        answered.ended(0, 1_000_000, null, Contender.unprotected());

        String html = new ComparisonPage(SMALL, Map.of(Contender.unprotected(), answered)).html();

        assertThat(lineOf("Answered in time", html)).contains("L");
        assertThat(lineOf("Wait for anything", html)).startsWith("M").doesNotContain("L");
    }

    private static String lineOf(String chart, String html) {
        String after = html.substring(html.indexOf("aria-label=\"" + chart));
        String line = after.substring(after.indexOf("class=\"line"));
        return line.substring(line.indexOf("d=\"") + 3, line.indexOf("\"/>"));
    }

    @Test
    void course_eachEnd_isCountedApart() {
        Contender refusing = new Contender("x", List.of(), call -> call.get(), IllegalStateException.class::isInstance);
        CallHistory history = new CallHistory(2);
        history.ended(0, 1_000_000, null, refusing);
        history.ended(0, 2_000_000, new IOException("status 500"), refusing);
        history.ended(1, 3_000_000, new TimeoutException(), refusing);
        history.ended(1, 9_000_000, new IllegalStateException("full"), refusing);
        history.allocated(1, 42);

        assertThat(history.seconds())
                .containsExactly(new CallHistory.Second(1, 0, 0, 1, 2, 0), new CallHistory.Second(0, 1, 1, 0, 3, 42));
        assertThat(history.total()).isEqualTo(new CallHistory.Second(1, 1, 1, 1, 3, 42));
    }
}

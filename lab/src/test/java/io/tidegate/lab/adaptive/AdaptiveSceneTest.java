package io.tidegate.lab.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AdaptiveSceneTest extends SceneTest {
    @Test
    @DisplayName("AL-5 the lab's service: the gradient holds for both kinds of callers, AIMD for those that give up")
    void play_default_printsWhatHolds() {
        new AdaptiveScene(ChangingCapacity.DEFAULT).play(screen);

        String[] parts = printed().split("Callers who wait", -1);
        assertThat(parts).hasSize(3);
        assertThat(figures(parts[1])).hasSize(4).allSatisfy(row -> {
            assertThat(row.get(2)).as("gradient").doesNotContain("!");
            assertThat(row.get(3)).as("aimd").doesNotContain("!");
        });
        assertThat(figures(parts[2]))
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.get(2)).as("gradient").doesNotContain("!"));
    }

    /** Returns the cells of each row of the table. */
    private static List<List<String>> figures(String text) {
        return text.lines()
                .filter(line -> line.contains(" servers, seconds "))
                .map(line -> List.of(line.replaceFirst("^.* to \\d+\\s+", "").split("(?<=[!\\d])\\s{3,}")))
                .toList();
    }

    @Test
    void play_twice_printsTheSame() {
        new AdaptiveScene(ChangingCapacity.DEFAULT).play(screen);
        String once = printed();
        new AdaptiveScene(ChangingCapacity.DEFAULT).play(screen);

        assertThat(printed()).isEqualTo(once + once);
    }
}

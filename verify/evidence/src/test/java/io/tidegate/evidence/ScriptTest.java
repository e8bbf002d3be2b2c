package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The script {@code ./tidegate}, as far as nothing must be built for its commands. */
class ScriptTest {
    private static final int PATIENCE_SECONDS = 600;

    private record Answer(int code, String said) {}

    private static Answer tidegate(String word) throws IOException, InterruptedException {
        Process script = new ProcessBuilder(Repository.ROOT.resolve("tidegate").toString(), word)
                .redirectErrorStream(true)
                .start();
        script.getOutputStream().close();
        String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Answer(script.exitValue(), said);
    }

    @Test
    void help_namesEveryWordAndPart() throws Exception {
        Answer help = tidegate("help");

        assertThat(help.code()).isZero();
        assertThat(help.said())
                .contains(
                        "lab --open [--tour NAME]",
                        "lab [scene]",
                        "bench [part]",
                        "evidence [part]",
                        "audit [--cluster] FILE",
                        "scale [runner|cap]");
        for (Part part : Part.values()) {
            assertThat(help.said()).contains(part.word());
        }
    }

    @Test
    void unknownWord_twoWithHelp() throws Exception {
        Answer answer = tidegate("evidense");

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.said()).contains("unknown word 'evidense'", "usage: ./tidegate [word]");
    }
}

package io.tidegate.lab.print;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void show_onATerminal_writesOverTheLineAndWipesWhatIsLonger() throws InterruptedException {
        Iterator<String> states = List.of("long line", "short").iterator();
        CountDownLatch shown = new CountDownLatch(1);
        ProgressLine progress = new ProgressLine(screen(true));
        progress.start(() -> {
            shown.countDown();
            return states.hasNext() ? states.next() : "end";
        });
        shown.await();
        progress.close();

        assertThat(out.toString(UTF_8))
                .startsWith("\rlong line\r")
                .contains("\rshort    ")
                .endsWith(System.lineSeparator());
    }

    @Test
    void close_elsewhere_leavesPlainLines() {
        ProgressLine progress = new ProgressLine(screen(false));
        progress.start(() -> "state");
        progress.close();

        assertThat(out.toString(UTF_8)).isEqualTo("state" + System.lineSeparator());
    }

    private Screen screen(boolean terminal) {
        return new Screen(new PrintStream(out, true, UTF_8), terminal);
    }
}

package io.tidegate.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.print.Screen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;

/** Checks that a scene leaves no thread behind. */
public abstract class SceneTest {
    /** The names of the threads of an HTTP client, an HTTP server and a progress line. */
    private static final Pattern OURS = Pattern.compile("HttpClient-|HTTP-Dispatcher|lab-");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    protected final Screen screen = new Screen(new PrintStream(out, true, UTF_8), false);

    private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

    @AfterEach
    void noThreadIsLeft() throws InterruptedException {
        Set<Thread> made = new HashSet<>(Thread.getAllStackTraces().keySet());
        made.removeAll(threadsBefore);
        made.removeIf(thread -> !OURS.matcher(thread.getName()).lookingAt());
        for (Thread thread : made) {
            assertThat(thread.join(Duration.ofMinutes(2))).as(thread.getName()).isTrue();
        }
    }

    protected String printed() {
        return out.toString(UTF_8);
    }

    protected static long total(Outcomes outcomes) {
        return Arrays.stream(Outcomes.Kind.values()).mapToLong(outcomes::count).sum();
    }
}

package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromiumTest {
    private static Path program(Path folder, String name) throws IOException {
        Path program = Files.createFile(folder.resolve(name));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    @Test
    void find_onThePath_takesTheFirstName(@TempDir Path first, @TempDir Path second) throws IOException {
        program(first, "google-chrome");
        Path chromium = program(second, "chromium");
        Map<String, String> environment = Map.of("PATH", first + File.pathSeparator + second);

        assertThat(Chromium.find(environment::get)).contains(chromium);
    }

    @Test
    void find_named_takesThat(@TempDir Path folder) throws IOException {
        program(folder, "chromium");
        Path own = program(folder, "my-browser");
        Map<String, String> environment = Map.of("PATH", folder.toString(), Chromium.VARIABLE, own.toString());

        assertThat(Chromium.find(environment::get)).contains(own);
    }

    @Test
    void find_namedButNotThere_saysSo() {
        Map<String, String> environment = Map.of(Chromium.VARIABLE, "/no/such/browser");

        assertThatIllegalStateException()
                .isThrownBy(() -> Chromium.find(environment::get))
                .withMessage("TIDEGATE_BROWSER: /no/such/browser (expected: a program that can be run)");
    }

    @Test
    void find_nowhere_isEmptyAndMissingSaysWhatToDo(@TempDir Path folder) {
        assertThat(Chromium.find(Map.of("PATH", folder.toString())::get)).isEmpty();
        assertThat(Chromium.missing())
                .hasMessageContainingAll("chromium", "TIDEGATE_BROWSER", "apt-get install chromium");
    }
}

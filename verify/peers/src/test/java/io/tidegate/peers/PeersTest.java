package io.tidegate.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeersTest {
    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    private GuidePage page;

    @BeforeEach
    void name() {
        page = new GuidePage(folder.resolve("page.md"), "breaker");
    }

    @Test
    void run_unknownWord_exitsWith2() throws Exception {
        assertThat(Peers.run(NOWHERE, page, page, List.of("--wrote"))).isEqualTo(2);
    }

    @Test
    void run_noPageToWrite_exitsWith1() throws Exception {
        assertThat(Peers.run(NOWHERE, page, page, List.of("--write"))).isEqualTo(1);
    }

    @Test
    void run_pageWithoutItsComments_exitsWith1() throws Exception {
        Files.writeString(page.file(), "# Page\n" + page.end() + page.begin());
        assertThat(Peers.run(NOWHERE, page, page, List.of("--write"))).isEqualTo(1);
    }

    @Test
    void write_replacesWhatIsBetweenTheComments() throws Exception {
        Files.writeString(page.file(), "# Page\n" + page.begin() + "old\n" + page.end() + "rest\n");
        assertThat(page.isReady()).isTrue();

        page.write("new\n");

        assertThat(page.file()).content().isEqualTo("# Page\n" + page.begin() + "new\n" + page.end() + "rest\n");
    }

    @Test
    void table_hasARowForEachProbeAndAColumnForEachLibrary() {
        Map<Probe, Finding> same = new EnumMap<>(Probe.class);
        for (Probe probe : Probe.values()) {
            same.put(probe, Finding.of(true, "as promised"));
        }
        Map<Library, Map<Probe, Finding>> findings = new EnumMap<>(Library.class);
        for (Library library : Library.values()) {
            findings.put(library, same);
        }

        List<String> lines = new Table<>(List.of(Library.values()), List.of(Probe.values()), findings)
                .toString()
                .lines()
                .toList();

        assertThat(lines).hasSize(2 + Probe.values().length);
        assertThat(lines.get(0))
                .startsWith("|  | Tidegate ")
                .contains(" resilience4j ")
                .doesNotContain("null");
        assertThat(lines.get(2))
                .isEqualTo("| " + Probe.LATE_SUCCESS.title() + " | ok: as promised".repeat(Library.values().length)
                        + " |");
    }
}

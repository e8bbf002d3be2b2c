package io.tidegate.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @Test
    void run_noArgument_playsTheFirstScene() {
        assertThat(lab(prints("first"), prints("second")).run()).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo("first plays");
    }

    @Test
    void run_nameOfAScene_playsIt() {
        assertThat(lab(prints("first"), prints("second")).run("second")).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo("second plays");
    }

    @Test
    void run_unknownScene_printsUsageAndReturns2() {
        assertThat(lab(prints("first"), prints("second")).run("third")).isEqualTo(2);
        assertThat(out.toString(UTF_8)).isEmpty();
        assertThat(errors.toString(UTF_8))
                .contains("usage: tidegate lab [scene] [--record FILE]", "first", "second", "about second");
    }

    @Test
    void run_twoArguments_printsUsageAndReturns2() {
        assertThat(lab(prints("first")).run("first", "first")).isEqualTo(2);
        assertThat(out.toString(UTF_8)).isEmpty();
        assertThat(errors.toString(UTF_8)).contains("usage: tidegate lab [scene] [--record FILE]");
    }

    @Test
    void run_noPortToBind_saysSoAndReturns1() {
        Lab lab = lab(new StubScene("first", screen -> {
            throw new BindException("Cannot assign requested address");
        }));

        assertThat(lab.run()).isEqualTo(1);
        assertThat(errors.toString(UTF_8)).contains("could not start its service", "Cannot assign requested address");
    }

    @Test
    void run_interrupted_returns1AndKeepsTheFlag() {
        Lab lab = lab(new StubScene("first", screen -> {
            throw new InterruptedException();
        }));

        assertThat(lab.run()).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void run_record_playsAndWritesTheTable() throws IOException {
        assertThat(lab(recorded()).run("first", "--record", "table.tsv")).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo("first plays");
        assertThat(Files.readString(folder.resolve("table.tsv"))).isEqualTo("millis\t0\n");
    }

    @Test
    void run_recordIntoNoFolder_saysSoBeforeItPlays() {
        assertThat(lab(recorded()).run("first", "--record", "none/table.tsv")).isEqualTo(1);
        assertThat(out.toString(UTF_8)).isEmpty();
        assertThat(errors.toString(UTF_8)).contains("--record: none/table.tsv (expected: a file that can be written)");
    }

    @Test
    void run_recordIntoNoName_saysSoBeforeItPlays() {
        assertThat(lab(recorded()).run("first", "--record", "\0")).isEqualTo(1);
        assertThat(out.toString(UTF_8)).isEmpty();
        assertThat(errors.toString(UTF_8)).contains("(expected: a file that can be written)");
    }

    @Test
    void run_recordOfASceneThatCannotBe_saysSoAndMakesNoFile() {
        assertThat(lab(prints("first")).run("first", "--record", "table.tsv")).isEqualTo(2);
        assertThat(out.toString(UTF_8)).isEmpty();
        assertThat(errors.toString(UTF_8)).contains("scene: first (expected: one that can be recorded)");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void run_recordWithoutFile_printsUsageAndReturns2() {
        assertThat(lab(recorded()).run("first", "--record")).isEqualTo(2);
        assertThat(errors.toString(UTF_8)).contains("usage: tidegate lab [scene] [--record FILE]");
    }

    private Lab lab(Scene... scenes) {
        return new Lab(List.of(scenes), new Screen(printer(out), false), printer(errors), folder);
    }

    private static PrintStream printer(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, UTF_8);
    }

    private static Scene prints(String name) {
        return new StubScene(name, screen -> screen.out().print(name + " plays"));
    }

    private static Scene recorded() {
        Scene plain = prints("first");
        return new Scene() {
            @Override
            public String name() {
                return plain.name();
            }

            @Override
            public String about() {
                return plain.about();
            }

            @Override
            public void play(Screen screen) throws IOException, InterruptedException {
                plain.play(screen);
            }

            @Override
            public Optional<Scene> recordedBy(Recorder recorder) {
                recorder.read();
                return Optional.of(plain);
            }
        };
    }

    private interface Play {
        void on(Screen screen) throws IOException, InterruptedException;
    }

    private record StubScene(String name, Play play) implements Scene {
        @Override
        public String about() {
            return "about " + name;
        }

        @Override
        public void play(Screen screen) throws IOException, InterruptedException {
            play.on(screen);
        }
    }
}

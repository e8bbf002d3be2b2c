package io.tidegate.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.guard.Recorder;
import io.tidegate.lab.orders.LeaseScene;
import io.tidegate.lab.orders.OrderPlan;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.play.Browser;
import io.tidegate.lab.print.Screen;
import io.tidegate.lab.print.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private static final Browser NO_DISPLAY = Browser.of("Linux", Map.of());

    @TempDir
    private Path folder;

    @Test
    void run_noArgumentAndNoDisplay_playsTheFirstSceneAndSaysHowToOpenThePage() {
        assertThat(lab(prints("first"), prints("second")).run()).isZero();
        assertThat(out.toString(UTF_8)).startsWith("first plays").contains("./tidegate lab --open");
    }

    @Test
    void run_noArgumentAndADisplay_opensThePage() {
        List<String> opened = new ArrayList<>();
        Browser interrupting = new Browser() {
            @Override
            public boolean hasDisplay() {
                return true;
            }

            @Override
            public boolean open(String address) {
                Thread.currentThread().interrupt();
                return opened.add(address);
            }
        };
        Lab lab = new Lab(
                List.of(prints("first")), new Screen(printer(out), false), printer(errors), folder, interrupting);

        assertThat(lab.run()).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(opened).singleElement().asString().startsWith("http://").contains("/#token=");
        assertThat(out.toString(UTF_8)).contains(opened.get(0)).doesNotContain("first plays");
        assertThat(errors.toString(UTF_8)).contains("The lab was interrupted.");
    }

    @Test
    void run_headless_playsTheFirstSceneAndSaysHowToOpenThePage() {
        assertThat(lab(prints("first"), prints("second")).run("--headless")).isZero();
        assertThat(out.toString(UTF_8)).startsWith("first plays").contains("./tidegate lab --open");
    }

    @Test
    void run_help_listsScenesAndTours() {
        assertThat(lab(prints("first"), prints("second")).run("help")).isZero();
        assertThat(out.toString(UTF_8))
                .contains("about first", "about second", "--open", "--json", "--store", "brown-out", "worker-crash");
        assertThat(errors.toString(UTF_8)).isEmpty();
    }

    @Test
    void run_json_printsFiguresAndNothingElse() {
        Scene scene = new StubScene("first", screen -> {
            screen.out().println("to be read by people");
            screen.show(new Table("left", "right").row("goodput", "1,234/s", "-"));
        });

        assertThat(lab(scene).run("first", "--json")).isZero();
        assertThat(out.toString(UTF_8).strip())
                .isEqualTo(
                        "{\"scene\":\"first\",\"about\":\"about first\",\"tables\":[[{\"figure\":\"goodput\",\"runs\":"
                                + "{\"left\":{\"text\":\"1,234/s\",\"value\":1234.0,\"unit\":\"/s\"},"
                                + "\"right\":{\"text\":\"-\"}}}]]}");
    }

    @Test
    void run_storeOfASceneWithoutLeases_saysSo() {
        assertThat(lab(prints("first")).run("first", "--store", "memory")).isEqualTo(2);
        assertThat(errors.toString(UTF_8)).contains("--store: with another scene (expected: lease, or --open)");
    }

    @Test
    void run_storeThatIsNotThere_saysSo() {
        for (String store : List.of("redis://127.0.0.1:1", "jdbc:postgresql://127.0.0.1:1/shop")) {
            errors.reset();
            assertThat(lab(new LeaseScene(OrderPlan.DEFAULT)).run("lease", "--store", store))
                    .isEqualTo(1);
            assertThat(errors.toString(UTF_8))
                    .startsWith("The lab could not start its service or its workers: --store: " + store
                            + " cannot be used: ")
                    .hasLineCount(1);
        }
    }

    @Test
    void run_store_isGivenToTheScene() {
        Scene scene = new StubScene("first", screen -> {}) {
            @Override
            public Optional<Scene> on(Store store) {
                return Optional.of(new StubScene("first", screen -> screen.out().print(store.address())));
            }
        };

        assertThat(lab(scene).run("first", "--store", "redis://here")).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo("redis://here");
    }

    @Test
    void run_outOfASceneWithoutPage_saysSo() {
        assertThat(lab(prints("first")).run("first", "--out", "page.html")).isEqualTo(2);
        assertThat(errors.toString(UTF_8)).contains("--out: with another scene (expected: compare)");
    }

    @Test
    void run_unknownTour_saysWhichThereAre() {
        assertThat(lab(prints("first")).run("--tour", "sunset")).isEqualTo(2);
        assertThat(errors.toString(UTF_8)).contains("tour: sunset (expected: overload, brown-out, retry-storm");
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
                .contains("usage: tidegate lab [scene] [options]", "first", "second", "about second");
    }

    @Test
    void run_twoArguments_printsUsageAndReturns2() {
        assertThat(lab(prints("first")).run("first", "first")).isEqualTo(2);
        assertThat(out.toString(UTF_8)).isEmpty();
        assertThat(errors.toString(UTF_8)).contains("usage: tidegate lab [scene] [options]");
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
        assertThat(errors.toString(UTF_8)).contains("usage: tidegate lab [scene] [options]");
    }

    private Lab lab(Scene... scenes) {
        return new Lab(List.of(scenes), new Screen(printer(out), false), printer(errors), folder, NO_DISPLAY);
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

    private static class StubScene implements Scene {
        private final String name;
        private final Play play;

        StubScene(String name, Play play) {
            this.name = name;
            this.play = play;
        }

        @Override
        public String name() {
            return name;
        }

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

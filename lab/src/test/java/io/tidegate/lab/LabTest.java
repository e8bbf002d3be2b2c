package io.tidegate.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

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
        assertThat(errors.toString(UTF_8)).contains("usage: tidegate lab [scene]", "first", "second", "about second");
    }

    @Test
    void run_twoArguments_printsUsageAndReturns2() {
        assertThat(lab(prints("first")).run("first", "first")).isEqualTo(2);
        assertThat(out.toString(UTF_8)).isEmpty();
        assertThat(errors.toString(UTF_8)).contains("usage: tidegate lab [scene]");
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

    private Lab lab(Scene... scenes) {
        return new Lab(List.of(scenes), new Screen(printer(out), false), printer(errors));
    }

    private static PrintStream printer(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, UTF_8);
    }

    private static Scene prints(String name) {
        return new StubScene(name, screen -> screen.out().print(name + " plays"));
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

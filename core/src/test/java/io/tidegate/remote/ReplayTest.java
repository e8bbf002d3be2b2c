package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    private static final long SEED = 20;
    private static final int PATIENCE_SECONDS = 600;

    @TempDir
    Path folder;

    private static List<String> command(String... options) throws URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UnlockExperimentalVMOptions"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath(), ReplayScript.class.getName(), Long.toString(SEED)));
        return command;
    }

    /**
     * Returns the class path. If tests are patched into their module, their folder is beside that of the other classes.
     */
    private static String classPath() throws URISyntaxException {
        Path classes = placeOf(RemoteBulkhead.class);
        return String.join(
                File.pathSeparator,
                classes.toString(),
                placeOf(ReplayScript.class).toString(),
                classes.resolveSibling("test-classes").toString());
    }

    private static Path placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private byte[] run(String name, String... options) throws Exception {
        Path out = folder.resolve(name + ".out");
        Process child = new ProcessBuilder(command(options))
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve(name + ".err").toFile())
                .start();
        try {
            assertThat(child.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("%s ends", name)
                    .isTrue();
            assertThat(child.exitValue()).as("%s: %s", name, told(name)).isZero();
        } finally {
            child.destroyForcibly();
        }
        return Files.readAllBytes(out);
    }

    private String told(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".err"));
    }

    @Test
    @DisplayName("RB-2 the same script gives the same log, byte for byte, in JVMs of other locales and hash orders")
    void log_otherJvms_isTheSameByteForByte() throws Exception {
        byte[] plain = run("plain", "-Duser.language=en", "-Duser.country=US", "-XX:hashCode=2");
        byte[] arabic = run("arabic", "-Duser.language=ar", "-Duser.country=EG", "-XX:hashCode=0");
        byte[] turkish = run("turkish", "-Duser.language=tr", "-Dfile.encoding=ISO-8859-9", "-Xint");
        byte[] thai = run("thai", "-Duser.language=th", "-Duser.country=TH", "-Duser.extensions=u-nu-thai");

        assertThat(new String(plain, StandardCharsets.UTF_8)).isEqualTo(inThisJvm());
        assertThat(arabic).isEqualTo(plain);
        assertThat(turkish).isEqualTo(plain);
        assertThat(thai).isEqualTo(plain);
        assertThat(told("plain"))
                .as("its own digit one, and every hash the same")
                .isEqualTo((int) '1' + " 1");
        assertThat(told("arabic")).as("another digit one").startsWith((int) '\u0661' + " ");
        assertThat(told("thai")).as("another digit one").startsWith((int) '\u0e51' + " ");
        assertThat(told("turkish")).as("other hashes").isNotEqualTo(told("plain"));
    }

    private static String inThisJvm() {
        return String.join("\n", ReplayScript.play(SEED)) + '\n';
    }

    @Test
    @DisplayName(
            "RB-2 the same script gives the same log in any default locale of one JVM, and another seed another log")
    void log_otherDefaultLocale_isTheSame() {
        String plain = inThisJvm();
        Locale before = Locale.getDefault();
        Set<String> logs = new HashSet<>();
        try {
            for (String tag : new String[] {"ar-EG", "th-TH-u-nu-thai", "tr", "hi-IN-u-nu-deva"}) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                logs.add(inThisJvm());
            }
        } finally {
            Locale.setDefault(before);
        }

        assertThat(logs).containsExactly(plain);
        assertThat(ReplayScript.play(SEED + 1)).isNotEqualTo(ReplayScript.play(SEED));
    }
}

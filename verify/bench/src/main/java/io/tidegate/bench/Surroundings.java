package io.tidegate.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a reader must know to judge a number: the machine, the JDK, and the version of each library. */
final class Surroundings {
    private Surroundings() {}

    static String machine() {
        return processor() + ", " + Runtime.getRuntime().availableProcessors() + " processors, " + property("os.name")
                + " " + property("os.arch");
    }

    static String jdk() {
        return property("java.vm.name") + " " + property("java.vm.version") + " (" + property("java.vendor") + ")";
    }

    static String versions(Part part) {
        Properties versions = new Properties();
        try (InputStream file = Surroundings.class.getResourceAsStream("versions.properties")) {
            versions.load(Objects.requireNonNull(file, "versions.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Stream.concat(
                        part.hasRows() ? Stream.of("Tidegate", "JMH") : Stream.of("Tidegate"), part.peers().stream())
                .map(name -> name + " " + Objects.requireNonNull(versions.getProperty(name), name))
                .collect(Collectors.joining(", "));
    }

    private static String processor() {
        Path description = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(description)) {
            return "unnamed processor";
        }
        try (Stream<String> lines = Files.lines(description, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unnamed processor");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "?");
    }
}

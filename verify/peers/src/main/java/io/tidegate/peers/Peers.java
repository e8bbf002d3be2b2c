package io.tidegate.peers;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Shows what the breakers of other libraries do in the situations for which Tidegate has a rule. In the root folder, on a
 * JDK 17 or newer:
 *
 * <pre>
 * mvn -q -pl verify/peers -am package -DskipTests
 * java -jar verify/peers/target/tidegate-peers.jar [--write]
 * </pre>
 *
 * Prints a table; {@code --write} also puts it into the guide. Takes about ten seconds, most of them Sentinel's, whose
 * shortest open time is one second. What comes out does not depend on who is faster, but for the thousand threads.
 */
public final class Peers {
    private static final String JAR = "java -jar verify/peers/target/tidegate-peers.jar";
    private static final Path GUIDE = Path.of("docs", "guide", "circuit-breaker.md");

    private Peers() {}

    /** Exits with 0 when all is done, 1 when there is no place to write to, and 2 when the request was not understood. */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // where the libraries may talk
        System.exit(run(out, new GuidePage(GUIDE), List.of(args)));
    }

    static int run(PrintStream out, GuidePage page, List<String> words) throws Exception {
        boolean write = words.equals(List.of("--write"));
        if (!write && !words.isEmpty()) {
            System.err.println("usage: " + JAR + " [--write]");
            return 2;
        }
        if (write && !page.isReady()) {
            System.err.println("peers: " + page.file() + " is missing, or the comments around its table are");
            return 1;
        }
        String section = section(write);
        out.print(section);
        if (write) {
            page.write(section);
            out.println("Written to " + page.file() + ".");
        }
        return 0;
    }

    private static String section(boolean write) throws InterruptedException, ExecutionException {
        return """
                %s
                Made by `%s`, %s, on Java %s. Every breaker opens at the first failure and lets one probe through, which is
                running where half-open is said; all else is its default. resilience4j can be told to leave half-open after a while
                (`maxWaitDurationInHalfOpenState`), and by default is not.
                """.formatted(
                        tryAll(),
                        JAR + (write ? " --write" : ""),
                        LocalDate.now(ZoneOffset.UTC),
                        Runtime.version().feature());
    }

    /** Puts all libraries into all situations, each on a thread of its own, as most of the time goes by waiting. */
    static Table tryAll() throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            Map<Library, Future<Map<Probe, Finding>>> trials = new EnumMap<>(Library.class);
            for (Library library : Library.values()) {
                trials.put(library, pool.submit(() -> tryAll(library)));
            }
            Map<Library, Map<Probe, Finding>> findings = new EnumMap<>(Library.class);
            for (Map.Entry<Library, Future<Map<Probe, Finding>>> trial : trials.entrySet()) {
                findings.put(trial.getKey(), trial.getValue().get());
            }
            return new Table(findings);
        } finally {
            pool.shutdown();
        }
    }

    private static Map<Probe, Finding> tryAll(Library library) throws Exception {
        Map<Probe, Finding> findings = new EnumMap<>(Probe.class);
        for (Probe probe : Probe.values()) {
            findings.put(probe, probe.on(library::newBreaker));
        }
        return findings;
    }
}

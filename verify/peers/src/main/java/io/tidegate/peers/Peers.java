package io.tidegate.peers;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Shows what other libraries do in the situations for which Tidegate has a rule: their breakers, and several of their
 * parts around one call. In the root folder, on a JDK 17 or newer:
 *
 * <pre>
 * mvn -q -pl verify/peers -am package -DskipTests
 * java -jar verify/peers/target/tidegate-peers.jar [--write]
 * </pre>
 *
 * Prints the tables; {@code --write} also puts them into the page of peers. Takes about ten seconds, most of them for
 * Sentinel, whose shortest open time is one second. The results do not depend on which thread is faster, except in the
 * situation with a thousand threads.
 */
public final class Peers {
    private static final String JAR = "java -jar verify/peers/target/tidegate-peers.jar";
    private static final Path PAGE = Path.of("docs", "reference", "peers.md");
    private static final GuidePage BREAKER = new GuidePage(PAGE, "breaker");
    private static final GuidePage GUARD = new GuidePage(PAGE, "guard");

    private Peers() {}

    /**
     * Exits with 0 when all is done, 1 when a probe fails or the tables cannot be written, and 2 when the request was
     * not understood.
     */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // output of the libraries goes to another stream
        int exit = 1;
        try {
            exit = run(out, BREAKER, GUARD, List.of(args));
        } catch (Exception failed) {
            failed.printStackTrace();
        } finally {
            System.exit(exit); // ends the threads that the libraries have left behind
        }
    }

    static int run(PrintStream out, GuidePage breaker, GuidePage guard, List<String> words) throws Exception {
        boolean write = words.equals(List.of("--write"));
        if (!write && !words.isEmpty()) {
            System.err.println("usage: " + JAR + " [--write]");
            return 2;
        }
        for (GuidePage page : List.of(breaker, guard)) {
            if (write && !page.isReady()) {
                System.err.println("peers: " + page.file() + " is missing, or the comments around its table are");
                return 1;
            }
        }
        String made = "Made by `%s`, %s, on Java %s."
                .formatted(
                        JAR + (write ? " --write" : ""),
                        LocalDate.now(ZoneOffset.UTC),
                        Runtime.version().feature());
        print(out, breaker, breakers(made), write);
        print(out, guard, compositions(made), write);
        return 0;
    }

    private static void print(PrintStream out, GuidePage page, String section, boolean write) throws Exception {
        out.print(section);
        if (write) {
            page.write(section);
            out.println("Written to " + page.file() + ".");
        }
        out.println();
    }

    private static String breakers(String made) throws InterruptedException, ExecutionException {
        return """
                %s
                %s Every breaker opens at the first failure and lets one probe through; in the
                half-open rows that probe is running. All other settings are defaults. \
                resilience4j leaves half-open after a while only if
                `maxWaitDurationInHalfOpenState` is set; the default is off.
                """.formatted(tryBreakers(), made);
    }

    private static String compositions(String made) throws InterruptedException, ExecutionException {
        return """
                %s
                %s Parts are named outermost first, but SmallRye fixes the order: its limit is inside its breaker.
                All settings except limits are defaults. Ours has the retry budget of `Guard.standard`; \
                the others have none to set.
                """.formatted(tryCompositions(), made);
    }

    static Table<Probe> tryBreakers() throws InterruptedException, ExecutionException {
        return tryAll(
                List.of(Library.values()), List.of(Probe.values()), (library, probe) -> probe.on(library::newBreaker));
    }

    static Table<CompositionProbe> tryCompositions() throws InterruptedException, ExecutionException {
        return tryAll(
                Library.COMPOSING,
                List.of(CompositionProbe.values()),
                (library, probe) -> probe.on(library.compose(probe.parts())));
    }

    /** Runs a situation with a library. */
    private interface Trial<S> {
        Finding of(Library library, S situation) throws Exception;
    }

    /** Runs all situations with all libraries, each on a separate thread, because most of the time is waiting. */
    private static <S extends Situation> Table<S> tryAll(List<Library> libraries, List<S> situations, Trial<S> trial)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            Map<Library, Future<Map<S, Finding>>> trials = new EnumMap<>(Library.class);
            for (Library library : libraries) {
                trials.put(library, pool.submit(() -> tryAll(library, situations, trial)));
            }
            Map<Library, Map<S, Finding>> findings = new EnumMap<>(Library.class);
            for (Map.Entry<Library, Future<Map<S, Finding>>> one : trials.entrySet()) {
                findings.put(one.getKey(), one.getValue().get());
            }
            return new Table<>(libraries, situations, findings);
        } finally {
            pool.shutdown();
        }
    }

    private static <S> Map<S, Finding> tryAll(Library library, List<S> situations, Trial<S> trial) throws Exception {
        Map<S, Finding> findings = new HashMap<>();
        for (S situation : situations) {
            findings.put(situation, trial.of(library, situation));
        }
        return findings;
    }
}

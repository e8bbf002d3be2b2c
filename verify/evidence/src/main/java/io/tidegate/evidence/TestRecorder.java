package io.tidegate.evidence;

import io.tidegate.evidence.TestLine.What;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Runs inside a test JVM and writes the events of each test method into a file, line by line, so that a JVM that dies
 * leaves its plan behind. Does nothing if no folder is given.
 */
public final class TestRecorder implements TestExecutionListener {
    /** The system property with the folder. */
    static final String FOLDER = "tidegate.evidence.folder";

    /** The beginning of the first line, which names the JDK and system of the tests. */
    static final String SURROUNDINGS = "JVM\t";

    private final @Nullable Path file;
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private volatile @Nullable TestPlan plan;

    /** Called by JUnit. */
    public TestRecorder() {
        this(System.getProperty(FOLDER));
    }

    TestRecorder(@Nullable String folder) {
        file = folder == null ? null : Path.of(folder, UUID.randomUUID() + ".tests");
    }

    @Override
    public void testPlanExecutionStarted(TestPlan begun) {
        plan = begun;
        begun.getRoots().forEach(root -> forMethodsOf(root, method -> write(method, What.PLANNED, 0, "")));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        started.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        forMethodsOf(test, method -> {
            write(method, What.SKIPPED, 0, reason);
            write(method, What.ENDED, 0, "");
        });
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Long start = started.remove(test.getUniqueId());
        long millis = start == null ? 0 : (System.nanoTime() - start) / 1_000_000;
        boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (test.isTest() || !passed) {
            String why = result.getThrowable().map(Throwable::toString).orElse("");
            forMethodsOf(test, method -> write(method, what(result), millis, why));
        }
        if (methodOf(test).filter(test::equals).isPresent() || !passed) {
            forMethodsOf(test, method -> write(method, What.ENDED, 0, ""));
        }
    }

    private static What what(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> What.PASSED;
            case FAILED -> What.FAILED;
            case ABORTED -> What.SKIPPED;
        };
    }

    /*
     * Applies the action to a method. An event of one run of a method counts for the method, an event of a class for
     * all of its methods.
     */
    private void forMethodsOf(TestIdentifier test, Consumer<TestIdentifier> action) {
        Optional<TestIdentifier> method = methodOf(test);
        if (method.isPresent()) {
            action.accept(method.get());
        } else if (plan != null) {
            plan.getChildren(test).forEach(child -> forMethodsOf(child, action));
        }
    }

    /*
     * Returns the outermost test with a method as its source, because the runs of a method have the method as their
     * source, too.
     */
    private Optional<TestIdentifier> methodOf(TestIdentifier test) {
        Optional<TestIdentifier> above = parent(test).flatMap(this::methodOf);
        return above.isPresent()
                ? above
                : Optional.of(test)
                        .filter(self -> self.getSource()
                                .filter(MethodSource.class::isInstance)
                                .isPresent());
    }

    private Optional<TestIdentifier> parent(TestIdentifier test) {
        return plan == null ? Optional.empty() : plan.getParent(test);
    }

    private String names(TestIdentifier test) {
        return parent(test).map(above -> names(above) + " ").orElse("") + test.getDisplayName();
    }

    private void write(TestIdentifier method, What what, long millis, String message) {
        MethodSource source = (MethodSource) method.getSource().orElseThrow();
        append(new TestLine(
                        what,
                        method.getUniqueId(),
                        String.join(" ", RuleNames.in(names(method))),
                        module(),
                        source.getClassName(),
                        source.getMethodName(),
                        method.getDisplayName(),
                        millis,
                        message)
                .toLine());
    }

    /* Maven sets this to the folder of the module whose tests it runs. */
    private static String module() {
        return String.valueOf(Path.of(System.getProperty("basedir", "")).getFileName());
    }

    private synchronized void append(String line) {
        if (file == null) {
            return;
        }
        try {
            String head = Files.exists(file) ? "" : SURROUNDINGS + surroundings() + "\n";
            // a message may contain half a character
            byte[] bytes = (head + line + "\n").getBytes(StandardCharsets.UTF_8);
            Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String surroundings() {
        return "JDK " + System.getProperty("java.vm.version") + " (" + System.getProperty("java.vendor") + ") on "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch");
    }
}

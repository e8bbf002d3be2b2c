package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Chooses, runs and records real tests of all kinds. */
class TestRecorderTest {
    @TempDir
    Path folder;

    @SuppressWarnings("DoNotCallSuggester") // JUnit must see them throw
    static class Methods {
        @Test
        @DisplayName("XX-1 INV-XX-GOOD passes")
        void passes() {}

        @Test
        @DisplayName("XX-2 fails")
        void fails() {
            throw new AssertionError("two\nlines, a\ttab and a \\ backslash");
        }

        @Disabled("not today")
        @Test
        @DisplayName("XX-3 is skipped")
        void skipped() {}

        @Test
        @DisplayName("XX-4 assumes too much")
        void aborts() {
            assumeTrue(false);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        @DisplayName("XX-5 fails for 2 of 1 to 3")
        void someFail(int number) {
            assertThat(number).isNotEqualTo(2);
        }

        @ParameterizedTest
        @MethodSource("noArguments")
        @DisplayName("XX-6 cannot get its arguments")
        void argumentsFail(int number) {}

        static Stream<Integer> noArguments() {
            throw new IllegalStateException("no arguments");
        }

        @TestFactory
        @DisplayName("XX-7 makes no tests")
        Stream<DynamicTest> makesNone() {
            return Stream.empty();
        }

        @Test
        @DisplayName("YY-1 is of another family")
        void otherFamily() {
            throw new AssertionError("must not run");
        }

        @Test
        void unnamed() {
            throw new AssertionError("must not run");
        }
    }

    @DisplayName("XX-8 a class")
    static class NamedClass {
        @Test
        void passes() {}
    }

    @SuppressWarnings("DoNotCallSuggester")
    static class CannotBegin {
        @BeforeAll
        static void begin() {
            throw new IllegalStateException("cannot begin");
        }

        @Test
        @DisplayName("XX-9 never begins")
        void never() {}
    }

    @Disabled("all of it")
    static class SkippedClass {
        @Test
        @DisplayName("XX-10 is in a class that is skipped")
        void never() {}
    }

    private List<Check> run(Class<?> tests) throws IOException {
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .addPostDiscoveryFilters(new NamedTests("XX,ZZ"))
                .addTestExecutionListeners(new TestRecorder(folder.toString()))
                .build();
        LauncherFactory.create(config)
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(tests))
                        .build());
        return TestResults.read(folder).checks();
    }

    private Check run(Class<?> tests, String method) throws IOException {
        return run(tests).stream()
                .filter(check -> check.method().equals(method))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void passed_isPassed() throws IOException {
        Check check = run(Methods.class, "passes");

        assertThat(check.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(check.rules()).containsExactly("XX-1", "INV-XX-GOOD");
        assertThat(check.name()).isEqualTo("XX-1 INV-XX-GOOD passes");
        assertThat(check.testClass()).isEqualTo(Methods.class.getName());
        assertThat(check.runs()).isEqualTo(1);
        assertThat(check.failure()).isEmpty();
    }

    @Test
    void failed_isFailedWithItsMessage() throws IOException {
        Check check = run(Methods.class, "fails");

        assertThat(check.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(check.failure()).isEqualTo("java.lang.AssertionError: two\nlines, a\ttab and a \\ backslash");
    }

    @Test
    void skippedOrAborted_isSkipped() throws IOException {
        Check skipped = run(Methods.class, "skipped");

        assertThat(skipped.outcome()).isEqualTo(Outcome.SKIPPED);
        assertThat(skipped.failure()).isEqualTo("not today");
        assertThat(run(Methods.class, "aborts").outcome()).isEqualTo(Outcome.SKIPPED);
    }

    @Test
    void oneOfManyRuns_failed_isFailed() throws IOException {
        Check check = run(Methods.class, "someFail");

        assertThat(check.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(check.runs()).isEqualTo(3);
    }

    @Test
    void argumentsThatFail_isFailed() throws IOException {
        assertThat(run(Methods.class, "argumentsFail").outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void factoryWithoutTests_isFailed() throws IOException {
        Check check = run(Methods.class, "makesNone");

        assertThat(check.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(check.runs()).isZero();
    }

    @Test
    void otherFamilyOrUnnamed_doesNotRun() throws IOException {
        assertThat(run(Methods.class))
                .extracting(Check::method)
                .containsExactlyInAnyOrder(
                        "passes", "fails", "skipped", "aborts", "someFail", "argumentsFail", "makesNone");
    }

    @Test
    void namedClass_namesItsMethods() throws IOException {
        assertThat(run(NamedClass.class, "passes").rules()).containsExactly("XX-8");
    }

    @Test
    void classThatCannotBegin_failsItsMethods() throws IOException {
        Check check = run(CannotBegin.class, "never");

        assertThat(check.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(check.failure()).contains("cannot begin");
    }

    @Test
    void classThatIsSkipped_skipsItsMethods() throws IOException {
        assertThat(run(SkippedClass.class, "never").outcome()).isEqualTo(Outcome.SKIPPED);
    }

    @Test
    void jvmThatDies_failsWhatItHadBegun() throws IOException {
        run(NamedClass.class);
        Path file = TestResults.files(folder).get(0);
        Files.write(file, Files.readAllLines(file).subList(0, 2)); // keeps the line of the JVM and the plan

        Check check = TestResults.read(folder).checks().get(0);

        assertThat(check.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(check.failure()).isEqualTo("did not run to its end");
    }

    @Test
    void surroundings_nameJdkAndSystem() throws IOException {
        run(NamedClass.class);

        assertThat(TestResults.read(folder).surroundings())
                .singleElement()
                .asString()
                .contains("JDK " + System.getProperty("java.vm.version"), System.getProperty("os.name"));
    }
}

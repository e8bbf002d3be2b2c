package io.tidegate.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/** Checks that a part of Tidegate shows no forbidden outcome in any race, and that every broken variant shows one. */
public abstract class StressTest {
    private static final int MAX_ROUNDS = 100;

    private static @Nullable Collection<TestResult> resultsOfTidegate;

    private final String part;
    private final Enum<?>[] faults;

    /**
     * Checks the races of a part.
     *
     * @param part the last name of its package
     * @param faults the constants after which its broken variants are named
     */
    protected StressTest(String part, Enum<?>[] faults) {
        this.part = part;
        this.faults = faults;
    }

    @Test
    final void tidegate_inEveryRace_showsNoForbiddenOutcome() throws Exception {
        List<String> races = racesOfTidegate();

        List<TestResult> results = resultsOfTidegate().stream()
                .filter(result -> races.contains(result.getName()))
                .toList();

        assertThat(results).extracting(TestResult::getName).containsAll(races);
        assertThat(results).allSatisfy(result -> {
            assertThat(result.status()).isEqualTo(Status.NORMAL);
            assertThat(result.grading().failureMessages).isEmpty();
            assertThat(result.grading().isPassed).isTrue();
        });
    }

    /**
     * Runs the races of all parts at once, because each run first tries out in dozens of JVMs what the machine can do.
     */
    private static synchronized Collection<TestResult> resultsOfTidegate() throws Exception {
        if (resultsOfTidegate == null) {
            resultsOfTidegate =
                    JcstressRun.in("tidegate").of(racesOfTidegate("[a-z]+"), JcstressRun.property("jcstress.effort"));
        }
        return resultsOfTidegate;
    }

    @Test
    @Tag("broken")
    final void broken_inTheRacesMeantForThem_showForbiddenOutcomes() throws Exception {
        Set<String> uncaught = new TreeSet<>(racesOfBroken());

        // On a busy machine the actors of a short run may never meet, so variants that were not caught are tried again.
        for (int round = 1; round <= MAX_ROUNDS && !uncaught.isEmpty(); round++) {
            for (TestResult result :
                    JcstressRun.in("broken-" + part).of(uncaught, JcstressRun.property("jcstress.quick"))) {
                assertThat(result.status()).isEqualTo(Status.NORMAL);
                if (!result.grading().isPassed) {
                    uncaught.remove(result.getName());
                }
            }
        }

        assertThat(uncaught).isEmpty();
    }

    @Test
    final void everyFault_hasARaceMeantForIt() {
        assertThat(racesOfBroken())
                .extracting(name ->
                        raceClass(name).getEnclosingClass().getSimpleName().toUpperCase(Locale.ROOT))
                .containsAll(Stream.of(faults)
                        .map(fault -> fault.name().replace("_", ""))
                        .toList());
    }

    @Test
    final void everyRace_hasAFaultThatItMustCatch() {
        assertThat(racesOfBroken())
                .extracting(name -> raceClass(name).getSuperclass().getName())
                .containsAll(racesOfTidegate());
    }

    private List<String> racesOfTidegate() {
        return racesOfTidegate(part);
    }

    private static List<String> racesOfTidegate(String part) {
        return names("^io\\.tidegate\\.jcstress\\." + part + "\\.[A-Z]");
    }

    private List<String> racesOfBroken() {
        return names("^io\\.tidegate\\.jcstress\\." + part + "\\.broken\\.");
    }

    private static List<String> names(String pattern) {
        return TestList.tests().stream()
                .filter(Pattern.compile(pattern).asPredicate())
                .toList();
    }

    private static Class<?> raceClass(String name) throws ClassNotFoundException {
        return Class.forName(TestList.getInfo(name).binaryName());
    }
}

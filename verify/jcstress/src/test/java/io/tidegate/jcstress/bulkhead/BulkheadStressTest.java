package io.tidegate.jcstress.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/** Tidegate shows no forbidden outcome in any race; every broken variant shows one. */
class BulkheadStressTest {
    private static final String TIDEGATE = "^io\\.tidegate\\.jcstress\\.bulkhead\\.[A-Z]";
    private static final String BROKEN = "^io\\.tidegate\\.jcstress\\.bulkhead\\.broken\\.";
    private static final int MAX_ROUNDS = 5;

    @Test
    void tidegate_inEveryRace_showsNoForbiddenOutcome() throws Exception {
        List<String> races = names(TIDEGATE);

        Collection<TestResult> results = JcstressRun.in("tidegate").of(races, JcstressRun.property("jcstress.effort"));

        assertThat(results).extracting(TestResult::getName).containsAll(races);
        assertThat(results).allSatisfy(result -> {
            assertThat(result.status()).isEqualTo(Status.NORMAL);
            assertThat(result.grading().failureMessages).isEmpty();
            assertThat(result.grading().isPassed).isTrue();
        });
    }

    @Test
    void broken_inTheRacesMeantForThem_showForbiddenOutcomes() throws Exception {
        Set<String> uncaught = new TreeSet<>(names(BROKEN));

        // A busy machine can keep the actors of a short run apart, so what got away is tried again.
        for (int round = 1; round <= MAX_ROUNDS && !uncaught.isEmpty(); round++) {
            for (TestResult result : JcstressRun.in("broken").of(uncaught, JcstressRun.property("jcstress.quick"))) {
                assertThat(result.status()).isEqualTo(Status.NORMAL);
                if (!result.grading().isPassed) {
                    uncaught.remove(result.getName());
                }
            }
        }

        assertThat(uncaught).isEmpty();
    }

    @Test
    void everyFault_hasARaceMeantForIt() {
        assertThat(names(BROKEN))
                .extracting(name ->
                        raceClass(name).getEnclosingClass().getSimpleName().toUpperCase(Locale.ROOT))
                .containsAll(Stream.of(BrokenBulkhead.values())
                        .map(fault -> fault.name().replace("_", ""))
                        .toList());
    }

    @Test
    void everyRace_hasAFaultThatItMustCatch() {
        assertThat(names(BROKEN))
                .extracting(name -> raceClass(name).getSuperclass().getName())
                .containsAll(names(TIDEGATE));
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

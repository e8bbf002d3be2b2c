package io.tidegate.breaker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.tidegate.memory.Threads;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockFreeTest extends BreakerTest {
    private static final JavaClasses BREAKER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.tidegate.breaker");

    @Test
    @DisplayName("CB-2 no lock, thread, timer, pool or thread-local anywhere in the breaker")
    void breaker_makesNoThreadAndTakesNoLock() {
        methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED).check(BREAKER);
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.(Inheritable)?ThreadLocal|java\\.util\\.Timer.*"
                        + "|java\\.util\\.concurrent\\.(locks\\..*|Executors|.*Pool.*|Semaphore|CountDownLatch)")
                .orShould()
                .callConstructor(Thread.class)
                .orShould()
                .callMethod(Object.class, "wait")
                .orShould()
                .callMethod(Object.class, "notifyAll")
                .check(BREAKER);
    }

    @Test
    @DisplayName("CB-2 a whole life starts no thread")
    void life_startsNoThread() {
        int threads = Threads.leftBy(() -> {
            CircuitBreaker breaker = made(brittle());
            breaker.onSuccess(halfOpen(breaker));
        });

        assertThat(threads).isZero();
    }

    @Test
    @DisplayName("CB-21 no wall clock is read anywhere in the breaker")
    void breaker_readsNoWallClock() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.time\\.(Instant|Clock|.*Date.*)|java\\.util\\.Date")
                .check(BREAKER);
    }
}

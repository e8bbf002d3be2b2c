package io.tidegate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.tidegate.bulkhead.PermitLifetime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which packages of core may use which. */
class ArchitectureTest {
    private static final String[] SHARED = {
        "io.tidegate.gate", "io.tidegate.measure", "io.tidegate.slice", "io.tidegate.stage", "io.tidegate.time"
    };
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.tidegate");

    @Test
    void core_isImported() {
        assertThat(CORE.contain("io.tidegate.bulkhead.AsyncBulkhead")).isTrue();
        assertThat(CORE.contain("io.tidegate.ArchitectureTest")).isFalse();
    }

    @Test
    void core_needsNothingButTheJdk() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAPackage("io.tidegate..")
                        .or(resideInAPackage("java.."))
                        .or(resideInAPackage("jdk.jfr"))
                        .or(resideInAPackage("org.jspecify.annotations")))
                .check(CORE);
    }

    @Test
    void parts_doNotKnowEachOther() {
        slices().matching("io.tidegate.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(DescribedPredicate.alwaysTrue(), resideInAnyPackage(SHARED))
                .ignoreDependency(
                        resideInAnyPackage("io.tidegate.remote", "io.tidegate.cluster"), type(PermitLifetime.class))
                .ignoreDependency(resideInAPackage("io.tidegate.cluster"), resideInAPackage("io.tidegate.remote"))
                .ignoreDependency(resideInAPackage("io.tidegate.adaptive"), resideInAPackage("io.tidegate.bulkhead"))
                .ignoreDependency(resideInAPackage("io.tidegate.guard"), DescribedPredicate.alwaysTrue())
                .check(CORE);
    }

    @Test
    void remote_offersNothingThatOnlyTheClusterNeeds() {
        noClasses()
                .that()
                .resideInAPackage("io.tidegate.remote")
                .and()
                .arePublic()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.tidegate.slice")
                .check(CORE);
    }

    @Test
    void admission_knowsNoLockThreadOrClock() {
        noClasses()
                .that()
                .resideInAPackage("io.tidegate.remote")
                .and()
                .haveNameMatching(".*\\.(Admission|WaitingLine|RetryEstimate|LatencyWindow)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.tidegate\\.(time\\..*|remote\\.BackoffLock)|java\\.util\\.concurrent\\..*"
                        + "|java\\.time\\..*|java\\.lang\\.(Thread|System)")
                .check(CORE);
    }

    @Test
    void shared_knowsNoPart() {
        classes()
                .that()
                .resideInAnyPackage(SHARED)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(SHARED)
                        .or(type(Refusal.class))
                        .or(type(Reading.class))
                        .or(type(Holder.class))
                        .or(type(HolderWatch.class))
                        .or(resideInAPackage("jdk.jfr"))
                        .or(resideInAPackage("java.."))
                        .or(resideInAPackage("org.jspecify.annotations")))
                .check(CORE);
    }

    @Test
    void publicTypes_areInterfacesOrClosed() {
        classes()
                .that()
                .arePublic()
                .and()
                .resideOutsideOfPackages(SHARED)
                .and(DescribedPredicate.describe("can be extended", ArchitectureTest::hasVisibleConstructor))
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(CORE);
    }

    private static boolean hasVisibleConstructor(JavaClass type) {
        return type.getConstructors().stream()
                .map(JavaConstructor::getModifiers)
                .anyMatch(modifiers ->
                        modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
    }

    @Test
    @DisplayName("AB-18 AL-4 CB-2 no lock, thread, timer, pool or thread-local")
    void bulkheadAndBreaker_makeNoThreadAndTakeNoLock() {
        methods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(
                        "io.tidegate.adaptive", "io.tidegate.bulkhead", "io.tidegate.breaker", "io.tidegate.stage")
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .check(CORE);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.tidegate.adaptive", "io.tidegate.bulkhead", "io.tidegate.breaker", "io.tidegate.stage")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.(Inheritable)?ThreadLocal|java\\.util\\.Timer.*"
                        + "|java\\.util\\.concurrent\\.(locks\\..*|Executors|.*Pool.*|Semaphore)")
                .orShould()
                .callConstructor(Thread.class)
                .check(CORE);
    }
}

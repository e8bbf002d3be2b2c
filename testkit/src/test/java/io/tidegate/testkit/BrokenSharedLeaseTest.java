package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.broken.BrokenSharedLease;
import io.tidegate.testkit.broken.WatchedStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Shows that the contract finds what an engine can get wrong. */
@Tag("broken")
class BrokenSharedLeaseTest {
    private static final String SCRIPT = "script_anyOrder_answersAsTheReference";

    /** The contract, for an engine with a fault. */
    private static final class Contract extends SharedWorkLeaseContract {
        private final BrokenSharedLease broken;
        private WatchedStore store = new WatchedStore();

        Contract(BrokenSharedLease broken) {
            this.broken = broken;
        }

        @Override
        protected void openStore() {
            store = new WatchedStore();
        }

        @Override
        protected SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration) {
            return broken.lease(store, name, maxRetries, owner, leaseDuration);
        }

        @Override
        protected void pass(Duration time) {
            store.pass(time);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a test that names the rule catches each fault")
    void contract_broken_isCaughtByItsRule(BrokenSharedLease broken) throws Exception {
        List<Method> tests = tests(broken.rule())
                .filter(test -> !test.getName().equals(SCRIPT))
                .toList();
        assertThat(tests).isNotEmpty();
        boolean caught = false;
        for (Method test : tests) {
            caught |= fails(test, broken);
        }
        assertThat(caught).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"INSPECT_SHOWS_THE_WHOLE_BACKLOG", "BLANK_NAME_IS_A_NAME", "MANY_ARE_NOT_RENEWED"})
    @DisplayName("the random scripts alone catch each fault that a few domains with short backlogs can show")
    void script_broken_isCaught(BrokenSharedLease broken) throws Exception {
        assertThat(fails(SharedWorkLeaseContract.class.getDeclaredMethod(SCRIPT), broken))
                .isTrue();
    }

    private static Stream<Method> tests(String rule) {
        return Stream.of(SharedWorkLeaseContract.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .filter(method -> List.of(
                                method.getAnnotation(DisplayName.class).value().split(" "))
                        .contains(rule))
                .sorted(Comparator.comparing(Method::getName));
    }

    private static boolean fails(Method test, BrokenSharedLease broken) throws Exception {
        try {
            test.invoke(new Contract(broken));
            return false;
        } catch (InvocationTargetException failed) {
            assertThat(failed.getCause()).isInstanceOfAny(AssertionError.class, RuntimeException.class);
            return true;
        }
    }
}

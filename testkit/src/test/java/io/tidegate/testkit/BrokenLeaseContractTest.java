package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.ReferenceLease;
import io.tidegate.lease.TokenSource;
import io.tidegate.lease.WorkLease;
import io.tidegate.lease.broken.BrokenLease;
import io.tidegate.lease.broken.LeaseFactory;
import io.tidegate.lease.broken.RacyLease;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrokenLeaseContractTest {
    @ParameterizedTest
    @EnumSource
    @DisplayName("the contract catches every broken lease")
    void contract_broken_isCaught(BrokenLease broken) throws Exception {
        assertThat(firstFailure(broken)).isPresent();
    }

    @Test
    @DisplayName("WL-5 and a lease that takes no second look after its token was made")
    void contract_noSecondLook_isCaught() throws Exception {
        assertThat(firstFailure(RacyLease.ACQUIRES_WITHOUT_A_SECOND_LOOK)).isPresent();
    }

    @Test
    @DisplayName("and finds nothing, run the same way, in the reference")
    void contract_reference_isFine() throws Exception {
        assertThat(firstFailure(ReferenceLease::new)).isEmpty();
    }

    private static Optional<Throwable> firstFailure(LeaseFactory factory) throws Exception {
        Optional<Throwable> failure = firstFailure(WorkLeaseContract.class, () -> new WorkLeaseContract() {
            @Override
            protected WorkLease open(int maxRetries) {
                return factory.create(maxRetries);
            }

            @Override
            protected int longBacklog() {
                return 1_000;
            }
        });
        return failure.isPresent()
                ? failure
                : firstFailure(
                        WorkLeaseSourcesContract.class,
                        () -> opened(new WorkLeaseSourcesContract() {
                            @Override
                            protected WorkLease open(int maxRetries, Clock clock, TokenSource tokens) {
                                return factory.create(maxRetries, clock, tokens);
                            }
                        }));
    }

    private static WorkLeaseSourcesContract opened(WorkLeaseSourcesContract contract) {
        contract.openStore();
        return contract;
    }

    private static Optional<Throwable> firstFailure(Class<?> contract, Supplier<?> subject) throws Exception {
        List<Method> tests = Stream.of(contract.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        assertThat(tests).hasSizeGreaterThan(10);
        for (Method test : tests) {
            try {
                test.invoke(subject.get());
            } catch (InvocationTargetException failed) {
                return Optional.of(failed.getCause());
            }
        }
        return Optional.empty();
    }
}

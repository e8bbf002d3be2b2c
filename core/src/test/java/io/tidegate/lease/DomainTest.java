package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DomainTest {
    private final Domain domain = new Domain(1, 0);

    @Test
    @DisplayName("WL-8 a fence never starts again from below: after the last one there is none")
    void nextFence_afterTheLast_throwsAndChangesNothing() throws ReflectiveOperationException {
        Field fence = Domain.class.getDeclaredField("fence");
        fence.setAccessible(true);
        fence.setLong(domain, Long.MAX_VALUE - 1);
        domain.lease(1, "a", 0);
        domain.succeed("A", "a");

        assertThatThrownBy(domain::nextFence).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> domain.lease(2, "b", 0)).isInstanceOf(ArithmeticException.class);
        assertThat(domain.inspect("A")).hasValueSatisfying(snapshot -> {
            assertThat(snapshot.lease()).isEmpty();
            assertThat(snapshot.processedCount()).isEqualTo(1);
        });
    }

    @Test
    @DisplayName("WL-6 the count of retries ends at the greatest number there is")
    void fail_mostRetries_doesNotOverflow() throws ReflectiveOperationException {
        Field lease = Domain.class.getDeclaredField("lease");
        lease.setAccessible(true);
        lease.set(domain, new LeaseRecord(1, "a", 1, 0, Integer.MAX_VALUE - 1));

        assertThat(domain.fail("A", "a", new Failure(0, false, ""), Integer.MAX_VALUE, 0))
                .isEqualTo(new FailResult.RetryScheduled(Integer.MAX_VALUE));
        assertThat(domain.fail("A", "a", new Failure(0, false, ""), Integer.MAX_VALUE, 0))
                .isEqualTo(new FailResult.GiveUpNoBacklog());
    }

    @Test
    @DisplayName("WL-14 a domain that is made but not acquired yet is not there")
    void inspect_fresh_isEmpty() {
        assertThat(domain.inspect("A")).isEmpty();
        domain.forget(Long.MIN_VALUE);
        assertThat(domain.inspect("A")).isPresent();
    }
}

package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.race.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of domains in memory, while domains come and go. */
class DomainListTest {
    private static final List<String> STAYING = List.of("b", "d", "f");

    @Test
    @DisplayName("WL-34 in memory a domain that is deleted is not listed any more, and is when it comes again")
    void domains_deletedAndBack_areListedAgain() {
        WorkLease lease = WorkLease.inMemory(0);
        finish(lease, "a", 1);
        finish(lease, "b", 1);
        assertThat(names(lease)).containsExactly("a", "b");
        lease.tryAcquire("b", 2);
        lease.deleteIdle(Duration.ZERO);
        assertThat(names(lease)).containsExactly("b");
        lease.tryAcquire("a", 3);
        assertThat(names(lease)).containsExactly("a", "b");
    }

    @Test
    @Tag("hot")
    @DisplayName("WL-34 in memory a domain that comes while the first list is made is in the next one")
    void domains_firstListAgainstComing_missesNone() {
        assertThat(race(DomainListTest::names, lease -> lease.tryAcquire("c", 1), "c"))
                .isNull();
    }

    @Test
    @Tag("hot")
    @DisplayName("WL-34 in memory a domain that comes again while it is deleted is in the next list")
    void domains_deletedAgainstComing_missesNone() {
        assertThat(race(lease -> lease.deleteIdle(Duration.ZERO), lease -> lease.tryAcquire("e", 2), "e"))
                .isNull();
    }

    /** Some domains stay, one comes and goes, and one is idle: the list has all that are known afterwards. */
    private static @Nullable String race(Consumer<WorkLease> first, Consumer<WorkLease> second, String moving) {
        return Race.run(100_000, Race.LIMIT, () -> new Race.Round() {
            final WorkLease lease = WorkLease.inMemory(0);

            {
                STAYING.forEach(name -> lease.tryAcquire(name, 1));
                if (moving.equals("e")) {
                    finish(lease, moving, 1);
                    names(lease);
                }
            }

            @Override
            public void first() {
                first.accept(lease);
            }

            @Override
            public void second() {
                second.accept(lease);
            }

            @Override
            public @Nullable String verdict() {
                List<String> expected = new ArrayList<>(STAYING);
                expected.add(moving);
                expected.sort(null);
                return names(lease).equals(expected) ? null : names(lease).toString();
            }
        });
    }

    private static List<String> names(WorkLease lease) {
        return lease.domains(10, "").stream().map(DomainSummary::domainId).toList();
    }

    private static void finish(WorkLease lease, String domainId, long offset) {
        AcquireResult.Acquired acquired = (AcquireResult.Acquired) lease.tryAcquire(domainId, offset);
        lease.succeed(domainId, acquired.token());
    }
}

package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeedTest {
    private static final long LEASE_MILLIS = 300;

    @Test
    void of_sameSeed_isTheSame() {
        assertThat(Load.of(7)).isEqualTo(Load.of(7)).isNotEqualTo(Load.of(8));
        assertThat(Fault.schedule(7, Lane.SLOTS, LEASE_MILLIS, true))
                .isEqualTo(Fault.schedule(7, Lane.SLOTS, LEASE_MILLIS, true))
                .isNotEqualTo(Fault.schedule(8, Lane.SLOTS, LEASE_MILLIS, true));
    }

    @ParameterizedTest
    @EnumSource
    void schedule_defaultSeeds_haveFaultsOfEveryKind(Engine engine) {
        Set<Fault.Kind> kinds = EnumSet.noneOf(Fault.Kind.class);
        Set<Boolean> ways = new HashSet<>();
        Set<Load.Course> courses = EnumSet.noneOf(Load.Course.class);
        for (long seed : engine.seeds(EngineRuns.DEFAULT_SEEDS)) {
            boolean byRunner = Order.isByRunner(seed, Twin.NONE);
            ways.add(byRunner);
            Fault.schedule(seed, Lane.SLOTS, LEASE_MILLIS, byRunner).forEach(fault -> kinds.add(fault.kind()));
            Load.of(seed).items().forEach(item -> courses.add(item.course()));
        }
        assertThat(ways).containsExactlyInAnyOrder(true, false);
        assertThat(kinds).containsExactlyInAnyOrder(Fault.Kind.values());
        assertThat(courses).containsExactlyInAnyOrder(Load.Course.values());
    }

    @Test
    void of_manySeeds_loadIsZipfDistributed() {
        long[] counts = new long[7];
        for (long seed = 0; seed < 500; seed++) {
            Load.of(seed).items().forEach(item -> counts[item.domainId().charAt("domain".length()) - '0']++);
        }
        assertThat((double) counts[1] / counts[2]).isBetween(1.8, 2.2);
        assertThat((double) counts[1] / counts[6]).isBetween(5.4, 6.6);
    }
}

package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Also runs the broken stores: their faults are on the way to the engine, so one engine is enough. */
class RedisCapRunsTest extends CapRuns {
    RedisCapRunsTest() {
        super(Engine.REDIS);
    }

    @Tag("broken")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void run_brokenStore_isCaught(CapTwin twin) {
        assertThat(isCaught(twin)).isTrue();
    }
}

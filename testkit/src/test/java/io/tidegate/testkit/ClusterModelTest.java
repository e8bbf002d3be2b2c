package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterModelTest {
    private static final int MOST_SEEDS_TO_BE_FOUND = 300;
    private static final int HEALED_ONE_IN = 8; // because it takes longest

    @ParameterizedTest(name = "strict: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("INV-RB-CAPPED in the cluster, whatever happens; afterwards demand gets what there is")
    void script_any_staysWithinTheCap(boolean strict) {
        long one = Long.getLong("tidegate.seed", -1);
        long first = Math.max(0, one);
        long count = one >= 0 ? 1 : Long.getLong("tidegate.seeds", 24);
        for (long seed = first; seed < first + count; seed++) {
            ClusterScript script = new ClusterScript(seed, strict);
            script.play();
            if (one >= 0 || seed % HEALED_ONE_IN == 0) {
                script.heal();
                script.oneWantsAll();
                script.allWantAll();
            }
            script.audit();
        }
    }

    @ParameterizedTest
    @EnumSource(ClusterScript.Fault.class)
    @DisplayName("a cluster with a fault is found out")
    void script_fault_isFound(ClusterScript.Fault fault) {
        assertThat(isFound(fault)).isTrue();
    }

    private static boolean isFound(ClusterScript.Fault fault) {
        for (long seed = 0; seed < MOST_SEEDS_TO_BE_FOUND; seed++) {
            try {
                new ClusterScript(seed, false, fault).play();
            } catch (ClusterScript.Exceeded found) {
                return true;
            }
        }
        return false;
    }
}

package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tiny tasks without end in some groups, and a task in another one. */
class FloodTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Timeout(600)
    @DisplayName("GX-7 a task that has its permits starts whatever floods run elsewhere, on one carrier and on two")
    void flood_onFewCarriers_quietTaskStarts(int carriers) throws Exception {
        String printed = Jvm.runOn(carriers, folder, FloodLoad.class);

        assertThat(printed.lines()).hasSize(FloodLoad.Flood.values().length * 3);
    }
}

package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.SceneTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedLeaseSceneTest extends SceneTest {
    private static final OrderPlan SMALL = new OrderPlan(
            List.of("Ada", "Bob", "Cleo", "Dan"),
            8,
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            6,
            3,
            Duration.ofMillis(50),
            List.of(Duration.ofMillis(300)),
            Duration.ofMillis(50),
            Duration.ofMinutes(2));

    @TempDir
    private Path folder;

    @Test
    void play_processesOnAFileAndOneKilled_everyOrderEndsOnceInItsTurn() throws Exception {
        Store store = Store.parse("file:orders", folder, Map.of());

        SharedLeaseScene.Result result = new SharedLeaseScene(store, SMALL).run(screen);

        assertThat(result.kills()).isEqualTo(1);
        assertThat(result.done() + result.parked()).isEqualTo(SMALL.total());
        assertThat(result.book().outOfTurn()).isZero();
    }
}

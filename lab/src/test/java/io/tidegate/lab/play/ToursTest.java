package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.lab.SceneTest;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.play.Tour.Step;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ToursTest extends SceneTest {
    @Test
    void tours_areThoseOfTheMenu() {
        assertThat(Stream.of(Tours.values()).map(Tours::word))
                .containsExactly(
                        "overload",
                        "brown-out",
                        "retry-storm",
                        "noisy-tenant",
                        "worker-crash",
                        "live-shrink",
                        "cluster");
    }

    @ParameterizedTest
    @EnumSource
    void steps_ofEachTour_areShortAndCanBeDone(Tours tour) throws Exception {
        try (Playground playground = new Playground(new Registry(), Store.MEMORY, Time.SYSTEM)) {
            playground.tour(tour.word());
            for (Step step : tour.on(playground.stage()).steps()) {
                assertThat(step.says().split("[.] ")).as(step.says()).hasSizeBetween(1, 3);
                assertThat(step.says()).hasSizeLessThan(240);
                assertThat(step.says())
                        .as("words that hold where one stands above the other, too")
                        .doesNotContainPattern("(?i)on the (left|right)|(left|right) side");
                step.does().run();
                playground.tick();
                boolean unused = step.seen().getAsBoolean(); // it must not throw
            }
        }
    }

    /*
     * These steps depend only on the parts. Whether the others show what their text says depends on how fast the
     * machine is.
     */
    @ParameterizedTest
    @EnumSource(names = {"WORKER_CRASH", "CLUSTER"})
    void steps_whatTheySay_isToBeSeen(Tours tour) throws Exception {
        try (Playground playground = new Playground(new Registry(), Store.MEMORY, Time.SYSTEM)) {
            playground.tour(tour.word());
            for (Step step : tour.on(playground.stage()).steps()) {
                step.does().run();
                do {
                    playground.tick();
                    Thread.yield();
                } while (!step.seen().getAsBoolean());
            }
        }
    }
}

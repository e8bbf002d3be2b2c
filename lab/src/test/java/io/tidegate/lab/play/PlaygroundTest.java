package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidegate.Registry;
import io.tidegate.lab.SceneTest;
import io.tidegate.lab.load.ManualTime;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlaygroundTest extends SceneTest {
    private final Registry registry = new Registry();
    private final Time time = new ManualTime();
    private Playground playground;

    @BeforeEach
    void make() throws IOException {
        playground = new Playground(registry, Store.MEMORY, time);
    }

    @AfterEach
    void closeIt() {
        playground.close();
        assertThat(registry.parts()).isEmpty();
    }

    @Test
    void set_eachSlider_isMoved() {
        for (ShopSlider slider : ShopSlider.values()) {
            playground.act("set", Map.of("slider", slider.word(), "value", slider.max()));
            assertThat(playground.shop().slider(slider)).isEqualTo(slider.max());
        }
    }

    @Test
    void set_offered_isHowManyCallsBothSidesGet() throws InterruptedException {
        playground.act("set", Map.of("slider", "offered", "value", 40));
        for (int i = 0; i < 10; i++) {
            time.sleep(Duration.ofMillis(100).toNanos());
            playground.tick();
        }
        time.sleep(Duration.ofMillis(250).toNanos());

        assertThat(playground.shop().bare().rates().offered()).isEqualTo(20); // 40 calls in one of two seconds
        assertThat(playground.shop().guarded().rates().offered()).isEqualTo(20);
    }

    @Test
    void set_beyondItsRange_isRefusedAndNothingChanges() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("set", Map.of("slider", "offered", "value", 5_000)))
                .withMessage("offered: 5000 (expected: 0 to 120)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("set", Map.of("slider", "offered", "value", 1.5)))
                .withMessage("value: 1.5 (expected: a whole number)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("set", Map.of("slider", "colour", "value", 1)))
                .withMessage("slider: colour (expected: offered, capacity, failures, latency)");
        assertThat(playground.shop().slider(ShopSlider.OFFERED)).isEqualTo(ShopSlider.OFFERED.usual());
    }

    @Test
    void switch_each_isOnAndOffAgain() {
        for (Protection protection : Protection.values()) {
            playground.act("switch", Map.of("protection", protection.word(), "on", true));
            assertThat(playground.shop().on()).containsExactly(protection);
            playground.act("switch", Map.of("protection", protection.word(), "on", false));
            assertThat(playground.shop().on()).isEmpty();
        }
    }

    @Test
    void switch_badBody_saysWhatIsExpected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("switch", Map.of("protection", "wall", "on", true)))
                .withMessage("protection: wall (expected: retry, budget, rate-limit, breaker, adaptive, bulkhead,"
                        + " time-limit)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("switch", Map.of("protection", "breaker", "on", "yes")))
                .withMessage("on: yes (expected: true or false)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("switch", Map.of()))
                .withMessage("protection: null (expected: a text)");
    }

    @Test
    void reset_everything_isAsAtFirst() {
        playground.act("set", Map.of("slider", "failures", "value", 50));
        playground.act("switch", Map.of("protection", "breaker", "on", true));
        playground.act("reset", Map.of());

        assertThat(playground.shop().slider(ShopSlider.FAILURES)).isZero();
        assertThat(playground.shop().on()).isEmpty();
    }

    @Test
    void stage_each_bringsItsPartsAndTakesThemAway() {
        assertThat(kindsOn("tenants")).contains("group");
        assertThat(kindsOn("remote")).contains("remote").doesNotContain("group");
        assertThat(kindsOn("cluster")).contains("cluster").doesNotContain("remote");
        assertThat(kindsOn("orders")).contains("lease").doesNotContain("cluster");
        assertThat(kindsOn("shop")).containsExactly("guard");
    }

    private List<String> kindsOn(String stage) {
        playground.act("stage", Map.of("name", stage));
        assertThat(playground.state().get("stage")).isEqualTo(stage);
        return registry.parts().stream().map(part -> part.kind()).distinct().toList();
    }

    @Test
    void stage_unknown_isRefusedAndTheOldOneStays() {
        playground.act("stage", Map.of("name", "remote"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("stage", Map.of("name", "moon")))
                .withMessage("stage: moon (expected: shop, tenants, orders, remote, cluster)");
        assertThat(playground.state().get("stage")).isEqualTo("remote");
    }

    @Test
    void kill_amongOrders_killsAWorkerWhichIsReplaced() {
        playground.act("stage", Map.of("name", "orders"));

        assertThat(playground.act("kill", Map.of())).isEqualTo(Map.of("killed", "worker-1"));
        while (!playground.stage().more().toString().contains("worker-2")) {
            playground.tick();
            Thread.onSpinWait();
        }
    }

    @Test
    void tour_workerCrash_killsInTheMiddleOfAnOrder() {
        playground.act("tour", Map.of("name", "worker-crash"));
        playground.look();
        playground.act("next", Map.of());
        assertThat(playground.stage().more().toString())
                .as("lives, as nobody has sent an order yet")
                .contains("idle");

        OrdersStage orders = (OrdersStage) playground.stage();
        while (orders.book().cutOff() == 0) {
            playground.tick();
            Thread.onSpinWait();
        }
    }

    @Test
    void kill_whereNobodyWorks_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("kill", Map.of()))
                .withMessage("kill: shop (expected: a stage with workers)");
    }

    @Test
    void tour_started_movesSlidersAndSaysWhatOneSees() {
        playground.act("set", Map.of("slider", "failures", "value", 50));
        playground.act("tour", Map.of("name", "overload"));
        playground.look();

        assertThat(playground.shop().slider(ShopSlider.FAILURES)).isZero();
        assertThat(playground.says()).startsWith("The service works on 4 calls at once");
        assertThat(playground.isTourOver()).isFalse();
    }

    @Test
    void tour_nothingToBeSeen_endsAllTheSame() throws InterruptedException {
        playground.act("tour", Map.of("name", "brown-out"));
        for (int i = 0; i < 4; i++) {
            playground.look();
            time.sleep(TourWalk.LIMIT.toNanos());
        }

        assertThat(playground.isTourOver()).isTrue();
        assertThat(playground.says()).contains("Not everything was to be seen");
    }

    @Test
    void tour_aHandOnASlider_stopsIt() {
        playground.act("tour", Map.of("name", "overload"));
        playground.look();
        playground.act("set", Map.of("slider", "offered", "value", 33));

        assertThat(playground.isTourOver()).isTrue();
        assertThat(playground.shop().slider(ShopSlider.OFFERED)).isEqualTo(33);
    }

    @Test
    void tour_next_isAtItsNextStepAtOnce() {
        playground.act("tour", Map.of("name", "overload"));
        playground.look();
        playground.act("next", Map.of());

        assertThat(playground.shop().slider(ShopSlider.OFFERED)).isEqualTo(100);
        assertThat(playground.says()).startsWith("Now 100 calls a second arrive.");
    }

    @Test
    void set_onEachStage_isWhatItsSliderSays() {
        assertThat(slidersOn("tenants")).containsExactly("sixth");
        assertThat(slidersOn("remote")).containsExactly("cap", "offered");
        assertThat(slidersOn("cluster")).containsExactly("cap", "first");
        assertThat(slidersOn("orders")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("set", Map.of("slider", "offered", "value", 1)))
                .withMessage("slider: offered (expected: a stage with sliders)");
    }

    /* Sets each slider to both its ends, and returns their names. */
    private List<String> slidersOn(String stage) {
        playground.act("stage", Map.of("name", stage));
        for (Slider slider : playground.stage().sliders()) {
            for (int end : new int[] {slider.min(), slider.max()}) {
                playground.act("set", Map.of("slider", slider.name(), "value", end));
                assertThat(slider.value().getAsInt()).as(slider.name()).isEqualTo(end);
            }
        }
        return playground.stage().sliders().stream().map(Slider::name).toList();
    }

    @Test
    void note_moreOfferedThanItCanCarry_saysSo() {
        assertThat(playground.shop().more()).containsEntry("note", "The service can carry 40 calls a second.");

        playground.act("set", Map.of("slider", "latency", "value", 400));
        assertThat(playground.shop().more())
                .containsEntry("note", "The service can carry 10 calls a second. It gets more than that.");
    }

    @Test
    void tour_stop_leavesEverythingAsItIs() {
        playground.act("tour", Map.of("name", "brown-out"));
        playground.look();
        playground.act("stop", Map.of());

        assertThat(playground.isTourOver()).isTrue();
        assertThat(playground.shop().on()).containsExactlyInAnyOrder(Protection.BREAKER, Protection.TIME_LIMIT);
    }

    @Test
    void act_unknown_saysWhatThereIs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> playground.act("fly", Map.of()))
                .withMessage("action: fly (expected: set, switch, reset, stage, tour, next, stop or kill)");
    }

    @Test
    void file_itsOwnAlone_isServed() throws IOException {
        assertThat(playground.file("panel.js")).isNotNull();
        assertThat(playground.file("panel.css")).isNotNull();
        assertThat(playground.file("Playground.class")).isNull();
        assertThat(playground.file("../Lab.class")).isNull();
    }
}

package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.guard.TimeLimitExceededException;
import io.tidegate.rate.RateLimiter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** What changes with the environment, and what does not. */
class LiveChangesTest {
    private static final String INVENTORY = "tidegate.guards.inventory.";

    private final Map<String, Object> changed = new HashMap<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = System.out;
    private ConfigurableApplicationContext app;

    @BeforeEach
    void start() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        app = Apps.start(WebApplicationType.NONE, """
                logging.level.io.tidegate=info
                tidegate.guards.inventory.time-limit=1h
                tidegate.guards.inventory.retry=
                tidegate.guards.inventory.rate-limit.permits=10
                tidegate.guards.inventory.rate-limit.period=1h
                tidegate.guards.inventory.bulkhead.max-in-flight=2
                """, StartTest.Plain.class);
        app.getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
    }

    @AfterEach
    void stop() {
        app.close();
        System.setOut(out);
    }

    private void change(String property, Object value) {
        changed.put(property, value);
        app.publishEvent(new EnvironmentChangeEvent(app));
    }

    private Guard guard() {
        return app.getBean("inventory", Guard.class);
    }

    private AsyncBulkhead bulkhead() {
        return (AsyncBulkhead)
                app.getBean(Registry.class).find("bulkhead", "inventory").orElseThrow();
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("SB-6 limits, rates and time limits change with the environment, and nothing in flight is lost")
    void change_goodValues_areTaken() {
        CompletableFuture<String> inFlight = new CompletableFuture<>();
        CompletableFuture<String> first = guard().submit(() -> inFlight).toCompletableFuture();

        change(INVENTORY + "bulkhead.max-in-flight", 1);
        assertThat(bulkhead().maxInFlight()).isEqualTo(1);
        assertThat(guard().submit(CompletableFuture::new).toCompletableFuture()).isCompletedExceptionally();
        change(INVENTORY + "bulkhead.max-in-flight", 7);
        assertThat(bulkhead().maxInFlight()).isEqualTo(7);

        RateLimiter rate = (RateLimiter)
                app.getBean(Registry.class).find("rate", "inventory").orElseThrow();
        change(INVENTORY + "rate-limit.permits", 1000);
        assertThat(rate.nanosUntil(700)).isZero();

        change(INVENTORY + "time-limit", "1ms");
        CompletableFuture<Throwable> ended = guard().submit(CompletableFuture::new)
                .handle((value, error) -> error)
                .toCompletableFuture();
        assertThat(ended.orTimeout(10, TimeUnit.MINUTES).join())
                .isInstanceOfSatisfying(
                        TimeLimitExceededException.class,
                        error -> assertThat(error.limit()).isEqualTo(Duration.ofMillis(1)));

        assertThat(first).isNotDone();
        inFlight.complete("done");
        assertThat(first).isCompletedWithValue("done");
        assertThat(bulkhead().inFlight()).isZero();
        assertThat(printed()).contains("tidegate.guards.inventory.bulkhead.max-in-flight: 7 instead of 1");
    }

    @Test
    @DisplayName("SB-6 a bad value changes nothing, not even what is good beside it, and is logged with its name")
    void change_badValue_changesNothing() {
        changed.put(INVENTORY + "bulkhead.max-in-flight", 9);
        change(INVENTORY + "rate-limit.permits", 0);
        assertThat(bulkhead().maxInFlight()).isEqualTo(2);
        assertThat(printed())
                .contains(
                        "Settings stay as they are: tidegate.guards.inventory.rate-limit.permits: 0 (expected: from 1");
        change(INVENTORY + "rate-limit.permits", "plenty");
        assertThat(printed())
                .contains("tidegate.guards.inventory.rate-limit.permits: plenty (expected: a whole number)");
        assertThat(bulkhead().maxInFlight()).isEqualTo(2);
        change(INVENTORY + "rate-limit.permits", "${not.there}");
        assertThat(bulkhead().maxInFlight()).isEqualTo(2);
        change(INVENTORY + "rate-limit.permits", 10);
        assertThat(bulkhead().maxInFlight()).isEqualTo(9);
    }

    @Test
    @DisplayName("SB-6 what was set by hand stays until its own property changes")
    void change_ofOthers_leavesWhatWasSetByHand() {
        app.getBean(Guards.class).setTimeLimits("inventory", Duration.ofMillis(1), null);
        bulkhead().setMaxInFlight(5);
        change(INVENTORY + "rate-limit.permits", 11);
        assertThat(bulkhead().maxInFlight()).isEqualTo(5);
        assertThat(guard().submit(CompletableFuture::new)
                        .handle((value, error) -> error)
                        .toCompletableFuture()
                        .orTimeout(10, TimeUnit.MINUTES)
                        .join())
                .isInstanceOf(TimeLimitExceededException.class);
        change(INVENTORY + "bulkhead.max-in-flight", 3);
        assertThat(bulkhead().maxInFlight()).isEqualTo(3);
    }

    @Test
    @DisplayName("SB-6 what cannot change live is said to need another start")
    void change_ofRetry_isSaidToHaveNoEffect() {
        change(INVENTORY + "retry.max-attempts", 5);
        change(INVENTORY + "attempt-time-limit", "1s");
        change("tidegate.guards.other.time-limit", "1s");
        assertThat(printed())
                .contains("tidegate.guards.inventory.retry: has changed, which has no effect before the next start")
                .contains("tidegate.guards.inventory.attempt-time-limit: has changed, which has no effect")
                .contains("tidegate.guards.other: has changed, which has no effect");
    }
}

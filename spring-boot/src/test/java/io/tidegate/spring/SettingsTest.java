package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.Part;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.guard.TimeLimitExceededException;
import io.tidegate.rate.RateLimiter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** The guards and limits that properties make, without an application. */
class SettingsTest {
    private static final String CONTRACT = """
            tidegate:
              guards:
                inventory:
                  time-limit: 2s
                  retry: { max-attempts: 3, first-delay: 100ms, max-delay: 2s, budget: 0.2 }
                  rate-limit: { permits: 100, period: 1s, max-wait: 0s }
                  breaker: { failure-rate: 0.5, minimum-calls: 20, window: 30s, open-for: 5s }
                  bulkhead: { max-in-flight: 64 }
                  attempt-time-limit: 500ms
                search:
                  bulkhead: { adaptive: gradient, min: 4, max: 200 }
                bare:
                defaults: { retry: , breaker: , bulkhead: }
                "[with.dots]": { bulkhead: { max-in-flight: 7 } }
              inbound: { max-in-flight: 200, paths: [/api/**] }
              console: { enabled: true }
            """;

    private static StandardEnvironment environment(String yaml) {
        StandardEnvironment environment = new StandardEnvironment();
        try {
            for (PropertySource<?> source : new YamlPropertySourceLoader().load("test", new File(yaml))) {
                environment.getPropertySources().addLast(source);
            }
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
        return environment;
    }

    private static final class File extends ByteArrayResource {
        File(String text) {
            super(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String getFilename() {
            return "application.yml";
        }
    }

    private static List<String> parts(Guard guard) {
        return guard.parts().stream().map(Part::kind).toList();
    }

    @Test
    @DisplayName("SB-1 the lines of the contract make guards in the standard order")
    void guard_ofContract_hasItsLayers() {
        Guards guards = Guards.of(environment(CONTRACT));
        assertThat(guards.settings().guards()).containsOnlyKeys("inventory", "search", "bare", "defaults", "with.dots");
        assertThat(parts(guards.guard("inventory"))).containsExactly("rate", "breaker", "bulkhead");
        assertThat(guards.guard("inventory").parts())
                .allMatch(part -> part.name().equals("inventory"));
        assertThat(parts(guards.guard("search"))).containsExactly("bulkhead");
        assertThat(guards.guard("bare").parts()).isEmpty();
        assertThat(parts(guards.guard("defaults"))).containsExactly("breaker", "bulkhead");
        assertThat(((AsyncBulkhead) guards.guard("defaults").parts().get(1)).maxInFlight())
                .isEqualTo(256);
        assertThat(((AsyncBulkhead) guards.guard("with.dots").parts().get(0)).maxInFlight())
                .isEqualTo(7);
        assertThat(guards.settings().inbound().maxInFlight()).isEqualTo(200);
        assertThat(guards.settings().inbound().paths()).containsExactly("/api/**");
    }

    @Test
    @DisplayName("SB-1 a section that is empty in braces is there, with its defaults")
    void guard_emptyBraces_hasDefaults() {
        StandardEnvironment environment = environment("""
                tidegate.guards:
                  bare: {}
                  "[with.dots]": {}
                  some:
                    time-limit: 1s
                    retry: {}
                    breaker: { }
                    bulkhead: {}
                  most: { retry: {}, bulkhead: {} }
                ---
                spring.application.name: shop
                tidegate.guards.most.bulkhead.max-in-flight: 3
                tidegate.inbound: {}
                other: {}
                """);
        Guards guards = Guards.of(environment);
        assertThat(guards.settings().guards()).containsOnlyKeys("bare", "with.dots", "some", "most");
        assertThat(parts(guards.guard("bare"))).isEmpty();
        assertThat(parts(guards.guard("some"))).containsExactly("breaker", "bulkhead");
        assertThat(guards.settings().guards().get("some").retry().maxAttempts()).isEqualTo(3);
        assertThat(((AsyncBulkhead) guards.guard("most").parts().get(0)).maxInFlight())
                .isEqualTo(3);
        assertThat(guards.settings().inbound().limit().maxInFlight()).isNull();
        assertThatThrownBy(() -> Guards.of(environment("a: 1\ntidegate.guards.x: { retries: {} }")))
                .hasMessageStartingWith("tidegate.guards.x.retries:  (expected: a value, of a property that there is");
    }

    @ParameterizedTest(name = "{0}={1}")
    @DisplayName("SB-2 a bad property is reported with its full name, its value and what was expected")
    @CsvSource(delimiter = '|', textBlock = """
            time-limit              | soon    | a duration, such as 500ms, 2s or 5m
            time-limit              | ${not}  | a duration, such as 500ms, 2s or 5m
            time-limit              | 0s      | positive
            attempt-time-limit      | -1ms    | positive
            retry.max-attempts      | 0       | >= 1
            retry.max-attempts      | many    | a whole number
            retry.first-delay       | 0s      | positive
            retry.max-delay         | 10ms    | >= PT0.1S
            retry.budget            | -1      | finite, >= 0
            rate-limit.permits      | 0       | from 1 to 1000000000000000000
            breaker.failure-rate    | 1.5     | > 0 and <= 1
            breaker.minimum-calls   | 0       | >= 1
            breaker.window          | 0s      | > 0
            breaker.open-for        | 0s      | > 0
            bulkhead.max-in-flight  | 0       | >= 1
            bulkhead.max-in-flight  | few     | a whole number
            bulkhead.adaptive       | magic   | gradient or aimd
            bulkhead.max            | 9       | not without adaptive
            bulkhead                | 64      | a section of properties
            bulkhead.maximum        | 64      | a property that there is: see the guide, or what an editor proposes
            time-limit              | ''      | a value, of a property that there is: see the guide, \
            or what an editor proposes
            """)
    void read_badProperty_isReported(String property, String value, String expected) {
        String full = "tidegate.guards.inventory." + property;
        StandardEnvironment environment = environment(full + ": " + value);
        BadPropertyException bad = catchThrowableOfType(
                BadPropertyException.class, () -> Guards.of(environment).guard("inventory"));
        assertThat(bad.property).isEqualTo(full);
        assertThat(bad.value).isEqualTo(value);
        assertThat(bad.expected).isEqualTo(expected);
        assertThat(bad).hasMessage(full + ": " + value + " (expected: " + expected + ")");
    }

    @Test
    @DisplayName("SB-2 settings that exclude each other, or lack what they need, are reported")
    void read_contradiction_isReported() {
        assertThatThrownBy(
                        () -> Guards.of(environment("tidegate.guards.a.bulkhead: { max-in-flight: 3, adaptive: aimd }"))
                                .guard("a"))
                .hasMessage("tidegate.guards.a.bulkhead.max-in-flight: 3"
                        + " (expected: not beside adaptive, which has min and max)");
        assertThatThrownBy(
                        () -> Guards.of(environment("tidegate.guards.a.bulkhead: { adaptive: aimd, min: 30, max: 20 }"))
                                .guard("a"))
                .hasMessage("tidegate.guards.a.bulkhead.max: 20 (expected: >= min, which is 30)");
        assertThatThrownBy(() -> Guards.of(environment("tidegate.guards.a.rate-limit.period: 1s"))
                        .guard("a"))
                .hasMessage("tidegate.guards.a.rate-limit.permits: not set"
                        + " (expected: how many are admitted in a period, >= 1)");
        assertThatThrownBy(() -> Guards.of(environment("tidegate.guard.a.time-limit: 1s")))
                .hasMessageStartingWith("tidegate.guard.a.time-limit: 1s (expected: a property that there is");
        assertThatThrownBy(() -> Guards.of(environment("tidegate.guards.A_b.time-limit: 0s"))
                        .guard("A_b"))
                .hasMessage("tidegate.guards.A_b.time-limit: 0s (expected: positive)");
    }

    @Test
    @DisplayName("SB-2 editors get the properties")
    void metadata_showsOfProperties() throws IOException {
        StringBuilder all = new StringBuilder();
        for (URL url : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream metadata = url.openStream()) {
                all.append(new String(metadata.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        assertThat(all)
                .contains("\"tidegate.guards\"")
                .contains("\"tidegate.inbound.max-in-flight\"")
                .contains("\"description\": \"The greatest adaptive limit; 1000 unless set.\"")
                .contains("\"tidegate.health.open-breaker-is-down\"")
                .contains("\"tidegate.guards.keys\"");
    }

    @Test
    @DisplayName("SB-6 a section that was away for a while changes again when it is back")
    void refresh_sectionComesBack_isTaken() {
        StandardEnvironment environment = environment("""
                tidegate.guards.a:
                  time-limit: 1h
                  rate-limit: { permits: 1, period: 1h }
                  bulkhead: { max-in-flight: 2 }
                """);
        Guards guards = Guards.of(environment);
        Guard guard = guards.guard("a");
        RateLimiter rate = (RateLimiter) guard.parts().get(0);
        AsyncBulkhead bulkhead = (AsyncBulkhead) guard.parts().get(1);

        for (String other : List.of("tidegate.guards.a: { retry: }", "tidegate.guards.b:", "a: b")) {
            replace(environment, other);
            guards.refresh();
            assertThat(guards.settings().guards()).containsOnlyKeys("a");
            assertThat(bulkhead.maxInFlight()).isEqualTo(2);
        }
        replace(environment, """
                tidegate.guards.a:
                  time-limit: 1ms
                  rate-limit: { permits: 1000, period: 1h }
                  bulkhead: { max-in-flight: 3 }
                """);
        guards.refresh();
        assertThat(bulkhead.maxInFlight()).isEqualTo(3);
        assertThat(rate.nanosUntil(700)).isZero();
        assertThat(guard.submit(CompletableFuture::new)
                        .handle((value, error) -> error)
                        .toCompletableFuture()
                        .orTimeout(10, TimeUnit.MINUTES)
                        .join())
                .isInstanceOf(TimeLimitExceededException.class);
    }

    private static void replace(StandardEnvironment environment, String yaml) {
        environment
                .getPropertySources()
                .replace("test", environment(yaml).getPropertySources().get("test"));
    }
}

package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.TidegateProperties.GuardSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** What a native image is told. */
class HintsTest {
    @Test
    @DisplayName("SB-7 the properties can be bound in a native image")
    void hints_bindProperties() {
        RuntimeHints hints = new RuntimeHints();
        new TidegateHints().registerHints(hints, getClass().getClassLoader());
        for (Class<?> type : new Class<?>[] {
            TidegateProperties.class,
            GuardSettings.class,
            TidegateProperties.RetrySettings.class,
            TidegateProperties.RateLimit.class,
            TidegateProperties.Breaker.class,
            TidegateProperties.Bulkhead.class,
            TidegateProperties.Inbound.class
        }) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onConstructor(type.getDeclaredConstructors()[0])
                            .invoke())
                    .as(type.getName())
                    .accepts(hints);
        }
    }

    @Test
    @DisplayName("SB-7 fallbacks can be called in a native image")
    void hints_callFallbacks() throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, GuardedTest.Shop.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethod(GuardedTest.Shop.class.getDeclaredMethod("cached", int.class, Throwable.class))
                        .invoke())
                .accepts(hints);
    }
}

package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.TidegateProperties.GuardSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.InputStreamSource;
import org.springframework.javapoet.ClassName;

/** The hints for native images. */
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

    @Test
    @DisplayName("SB-7 guards of the configuration can be written down for a native image")
    void aot_writesGuardsDown() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        Map<String, Object> properties = Map.of(
                "tidegate.guards.inventory.bulkhead.max-in-flight", 4, "tidegate.guards.search.time-limit", "1s");
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.register(StartTest.Plain.class);
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("io.tidegate.spring", "Written")), files);
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();
        Map<String, InputStreamSource> written = files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE);
        String all = written.keySet().stream().map(name -> text(files, name)).collect(Collectors.joining());
        assertThat(all)
                .contains("registerBeanDefinition(\"inventory\"")
                .contains("registerBeanDefinition(\"search\"")
                .contains("registerBeanDefinition(\"tidegateGuards\"")
                .contains("registerBeanDefinition(\"tidegateRegistry\"");
        assertThat(RuntimeHintsPredicates.reflection().onType(TidegateProperties.class))
                .accepts(generation.getRuntimeHints());
    }

    private static String text(InMemoryGeneratedFiles files, String name) {
        try {
            return files.getGeneratedFileContent(GeneratedFiles.Kind.SOURCE, name);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

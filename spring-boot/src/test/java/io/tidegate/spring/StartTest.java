package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.guard.Guard;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Starts that fail, with their messages, and starts that make nothing. */
class StartTest {
    private static final String GUARDS = """
            tidegate.guards.inventory.bulkhead.max-in-flight=4
            tidegate.guards.search=
            logging.level.root=error
            """;

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TidegateAutoConfiguration.class,
        InboundAutoConfiguration.class,
        ActuatorAutoConfiguration.class
    })
    static class Plain {}

    /** Returns what is printed when the start fails. */
    private static String failure(String properties, Class<?>... sources) {
        return failure(WebApplicationType.NONE, properties, sources);
    }

    private static String failure(WebApplicationType type, String properties, Class<?>... sources) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Throwable thrown =
                    catchThrowable(() -> Apps.start(type, properties, sources).close());
            assertThat(thrown).isNotNull();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("SB-2 a bad property stops the start, which says its full name, its value and what was expected")
    void start_badProperty_isReportedInFewLines() {
        assertThat(failure("logging.level.root=error\ntidegate.guards.inventory.bulkhead.max-in-flight=0", Plain.class))
                .contains("APPLICATION FAILED TO START")
                .contains("Property: tidegate.guards.inventory.bulkhead.max-in-flight")
                .contains("Value: 0")
                .contains("Expected: >= 1");
    }

    @Test
    @DisplayName("SB-2 a bad property of the limit of requests stops the start of a web application in the same way")
    void start_badInbound_isReported() {
        for (String[] bad : new String[][] {
            {"tidegate.inbound.max-in-flight", "0", ">= 1"},
            {"tidegate.inbound.paths[0]", "/a/{b", "a pattern of paths, such as /api/**"},
            {"tidegate.inbound.paths", "", "at least one pattern of paths, such as /api/**"}
        }) {
            assertThat(failure(
                            WebApplicationType.SERVLET,
                            "logging.level.root=error\n" + bad[0] + "=" + bad[1],
                            Web.class))
                    .contains("Property: " + bad[0] + "\n")
                    .contains("Value: " + (bad[1].isEmpty() ? "none" : bad[1]) + "\n")
                    .contains("Expected: " + bad[2]);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Web {}

    @Test
    @DisplayName("SB-2 a name that a guard cannot have stops the start; that of a bean of Spring's own is one it can")
    void start_oddNames_areReportedOrWork() {
        assertThat(failure("logging.level.root=error\ntidegate.guards[ ].time-limit=1s", Plain.class))
                .contains("Property: tidegate.guards[ ]")
                .contains("Expected: a name of a guard that is not blank");
        assertThat(failure(GUARDS + "tidegate.inbound=\ntidegate.guards.inbound.bulkhead=", Plain.class))
                .contains("Property: tidegate.guards.inbound.bulkhead")
                .contains("Expected: another name of the guard");
        try (ConfigurableApplicationContext app =
                Apps.start(WebApplicationType.NONE, "tidegate.guards.environment.time-limit=1s", Plain.class)) {
            assertThat(app.getBean("environmentGuard", Guard.class).name()).isEqualTo("environment");
        }
    }

    @Test
    @DisplayName("SB-1 a guard may have the name of another bean: it is found by its name all the same")
    void start_nameTaken_isFoundByItsName() {
        try (ConfigurableApplicationContext app =
                Apps.start(WebApplicationType.NONE, GUARDS, Plain.class, Taken.class, Inventory.class)) {
            Inventory inventory = app.getBean("inventory", Inventory.class);
            assertThat(inventory.guard().name()).isEqualTo("inventory");
            inventory.call();
            assertThat(inventory.guard().stats().calls()).isOne();
        }
        assertThat(failure(GUARDS + "tidegate.guards.taken=", Plain.class, Taken.class))
                .contains("Property: tidegate.guards.taken")
                .contains("Expected: a name that no bean has, but there are both taken and takenGuard");
    }

    @Component("inventory")
    static class Inventory {
        private final Guard guard;

        Inventory(@Qualifier("inventory") Guard guard) {
            this.guard = guard;
        }

        Guard guard() {
            return guard;
        }

        @Guarded("inventory")
        void call() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Taken {
        @Bean
        String taken() {
            return "taken";
        }

        @Bean
        String takenGuard() {
            return "taken, too";
        }
    }

    @Test
    @DisplayName("SB-2 an unknown guard stops the start with the names there are, also in a bean that is made later")
    void start_unknownGuard_isReported() {
        for (Class<?> source : new Class<?>[] {Unknown.class, LazyUnknown.class}) {
            assertThat(failure(GUARDS, Plain.class, source))
                    .contains("@Guarded on " + Unknown.class.getName()
                            + ".call: guard: inventry (expected: one of inventory, search)");
        }
        assertThat(failure("logging.level.root=error", Plain.class, Unknown.class))
                .contains("guard: inventry (expected: a guard, but there is none)");
    }

    static class Unknown {
        @Guarded("inventry")
        void call() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyUnknown {
        @Bean
        @Lazy
        Unknown unknown() {
            return new Unknown();
        }
    }

    @Test
    @DisplayName(
            "SB-2 a fallback that is missing or returns something else stops the start, naming what was looked for")
    void start_badFallback_isReported() {
        assertThat(failure(GUARDS, Plain.class, NoFallback.class))
                .contains(".call: fallback: other (expected: java.lang.String other(int, java.lang.String) in "
                        + NoFallback.class.getName() + ", perhaps with a Throwable after its parameters)");
        assertThat(failure(GUARDS, Plain.class, WrongFallback.class)).contains(".call: fallback: other (expected: int");
    }

    static class NoFallback {
        @Guarded(value = "inventory", fallback = "other")
        String call(int number, String text) {
            return text;
        }

        String other(int number) {
            return "";
        }
    }

    static class WrongFallback {
        @Guarded(value = "inventory", fallback = "other")
        int call() {
            return 1;
        }

        String other() {
            return "";
        }
    }

    @Test
    @DisplayName("SB-2 a return type whose end the guard could not see stops the start")
    void start_badReturnType_isReported() {
        assertThat(failure(GUARDS, Plain.class, Futures.class))
                .contains("return type: java.util.concurrent.Future (expected: a value, void, CompletionStage");
        assertThat(failure(GUARDS, Plain.class, Fluxes.class)).contains("return type: reactor.core.publisher.Flux");
    }

    @Test
    @DisplayName("SB-2 a method that no proxy can guard stops the start")
    void start_methodOutOfReach_isReported() {
        assertThat(failure(GUARDS, Plain.class, OutOfReach.class))
                .contains(".call: method: private (expected: not private, static or final)");
    }

    static class OutOfReach {
        @Guarded("inventory")
        private void call() {}
    }

    static class Futures {
        @Guarded("inventory")
        Future<String> call() {
            return null;
        }
    }

    static class Fluxes {
        @Guarded("inventory")
        Flux<String> call() {
            return Flux.empty();
        }
    }

    @Test
    @DisplayName("SB-1 two parts of one kind and name stop the start, with a message about both")
    void start_partsOfOneName_isReported() {
        Throwable thrown = catchThrowable(() -> Apps.start(WebApplicationType.NONE, "", Plain.class, Twice.class));
        assertThat(thrown).rootCause().hasMessageContaining("expected: another name than 'same', which is that of the");
        assertThat(thrown).hasMessageContaining("breaker");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Plain.class)
    static class Twice {
        @Bean
        CircuitBreaker one() {
            return CircuitBreaker.of("same");
        }

        @Bean
        CircuitBreaker two() {
            return CircuitBreaker.of("same");
        }
    }

    @Test
    @DisplayName("SB-7 without properties there are the registry and what looks for annotations, and nothing else")
    void start_nothingConfigured_makesNothing() {
        try (ConfigurableApplicationContext app = Apps.start(WebApplicationType.NONE, "", Plain.class)) {
            assertThat(Arrays.stream(app.getBeanDefinitionNames()).filter(name -> name.startsWith("tidegate")))
                    .containsExactlyInAnyOrder(
                            "tidegateRegistry", "tidegatePartCollector", "tidegateGuardedPostProcessor");
            assertThat(app.getBean(Registry.class).parts()).isEmpty();
            assertThat(app.getBeanProvider(Guard.class).stream()).isEmpty();
        }
    }

    @Test
    @DisplayName("SB-7 the cost of a start, for the record")
    void start_cost_isPrinted() {
        String many =
                "tidegate.guards.g%d.time-limit=2s\ntidegate.guards.g%<d.breaker=\ntidegate.guards.g%<d.bulkhead=\n";
        StringBuilder properties = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            properties.append(many.formatted(i));
        }
        double[] none = new double[15];
        double[] idle = new double[none.length];
        double[] ten = new double[none.length];
        for (int i = 0; i < none.length; i++) { // the first starts warm up
            none[i] = millis("", Nothing.class);
            idle[i] = millis("", Plain.class);
            ten[i] = millis(properties.toString(), Plain.class);
        }
        for (double[] each : new double[][] {none, idle, ten}) {
            Arrays.sort(each);
        }
        System.out.printf(
                "processor time of a start without the starter %.1f ms, with it %.1f ms, with ten guards %.1f ms"
                        + " (medians of %d)%n",
                none[none.length / 2], idle[none.length / 2], ten[none.length / 2], none.length);
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}

    private static double millis(String properties, Class<?> source) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime(); // independent of the rest of the machine
        Apps.start(WebApplicationType.NONE, properties, source).close();
        return (threads.getCurrentThreadCpuTime() - began) / 1e6;
    }
}

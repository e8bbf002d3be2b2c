package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Applications of one stack, without the classes of the other stack, as most applications are. */
class OneStackTest {
    private static final List<String> LOADED_ANEW = List.of("org.springframework.", "io.tidegate.", "io.micrometer.");

    @ParameterizedTest
    @CsvSource({
        "SERVLET, reactor. org.reactivestreams. org.springframework.web.reactive. io.netty.",
        "REACTIVE, jakarta.servlet. org.springframework.web.servlet. org.apache.catalina. org.apache.tomcat."
    })
    @DisplayName("SB-5 an application of one stack starts and refuses without the classes of the other")
    void start_otherStackMissing_refuses(String type, String missing) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader without = new Without(List.of(missing.split(" ")));
        Thread.currentThread().setContextClassLoader(without);
        try {
            Method answers = without.loadClass(OneStackTest.class.getName()).getDeclaredMethod("answers", String.class);
            answers.setAccessible(true);
            assertThat(answers.invoke(null, type))
                    .asString()
                    .contains("[200, 200]\nfull: 503 1 {")
                    .contains("AB_ERR_FULL")
                    .contains("\nopen: 503 5 {")
                    .contains("CB_ERR_OPEN");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Called in the copy of this class that cannot load the other stack. */
    static String answers(String type) {
        try (ConfigurableApplicationContext app = Apps.start(WebApplicationType.valueOf(type), """
                tidegate.inbound.max-in-flight=1
                tidegate.guards.stock.breaker=
                management.endpoints.web.exposure.include=*
                """, App.class)) {
            Registry registry = app.getBean(Registry.class);
            AsyncBulkhead inbound =
                    (AsyncBulkhead) registry.find("bulkhead", "inbound").orElseThrow();
            HttpResponse<String> full = Apps.get(app, "/twice");
            // The permit comes back a moment after the answer.
            await().atMost(Duration.ofMinutes(10)).until(() -> inbound.inFlight() == 0);
            ((CircuitBreaker) registry.find("breaker", "stock").orElseThrow()).forceOpen();
            HttpResponse<String> open = Apps.get(app, "/stock");
            return Stream.of(Apps.get(app, "/actuator/health"), Apps.get(app, "/actuator/tidegate"))
                            .map(HttpResponse::statusCode)
                            .toList()
                    + "\nfull: " + full.body()
                    + "\nopen: " + described(open);
        }
    }

    private static String described(HttpResponse<String> answer) {
        return answer.statusCode() + " "
                + answer.headers().firstValue("Retry-After").orElse("none") + " " + answer.body();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Requests.class, Stock.class})
    static class App {}

    static class Stock {
        @Guarded("stock")
        String ask() {
            return "7";
        }
    }

    @RestController
    static class Requests {
        private final Stock stock;

        Requests(Stock stock) {
            this.stock = stock;
        }

        @GetMapping("/stock")
        String stock() {
            return stock.ask();
        }

        /* Returns the answer to a second request, while the first one holds the only permit. */
        @GetMapping("/twice")
        CompletableFuture<String> twice(@RequestHeader("Host") String host) {
            HttpRequest second = HttpRequest.newBuilder(URI.create("http://" + host + "/stock"))
                    .build();
            return HttpClient.newHttpClient()
                    .sendAsync(second, HttpResponse.BodyHandlers.ofString())
                    .thenApply(OneStackTest::described);
        }
    }

    /** Loads anew the classes that may refer to missing ones. */
    private static final class Without extends ClassLoader {
        private final List<String> missing;

        Without(List<String> missing) {
            super(OneStackTest.class.getClassLoader());
            this.missing = missing;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (missing.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            if (LOADED_ANEW.stream().noneMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (code == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = code.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }
}

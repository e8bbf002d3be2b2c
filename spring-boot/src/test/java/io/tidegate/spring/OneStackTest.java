package io.tidegate.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Applications have one stack on board. Those of the other tests have both, so they miss no class. */
class OneStackTest {
    @ParameterizedTest
    @CsvSource({
        "SERVLET,  'reactor-.*|reactive-streams-.*|.*netty.*|.*webflux.*|.*webclient.*'",
        "REACTIVE, '.*tomcat.*|.*servlet.*|.*webmvc.*'"
    })
    @DisplayName("SB-1 SB-5 an application starts, and answers refusals, without the classes of the other stack")
    void application_withOneStack_answersRefusals(String type, String excluded) throws Exception {
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPathWithout(excluded),
                        Application.class.getName(),
                        type)
                .redirectErrorStream(true)
                .start();
        try {
            String told = new String(application.getInputStream().readAllBytes(), UTF_8);
            assertThat(told.lines().toList())
                    .contains("without the other", "200 free", "200 503 AB_ERR_FULL", "503 AB_ERR_FULL", "200 guard");
        } finally {
            application.destroyForcibly();
        }
    }

    private static String classPathWithout(String excluded) {
        Pattern left = Pattern.compile(excluded);
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !left.matcher(new File(path).getName()).matches())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Starts on the stack that is there, and prints what it answers. */
    static final class Application {
        private Application() {}

        public static void main(String[] args) {
            WebApplicationType type = WebApplicationType.valueOf(args[0]);
            boolean both = ClassUtils.isPresent("reactor.core.publisher.Mono", null)
                    && ClassUtils.isPresent("jakarta.servlet.Filter", null);
            System.out.println(both ? "with both" : "without the other");
            String properties = """
                    tidegate.guards.inventory.bulkhead.max-in-flight=64
                    tidegate.inbound.max-in-flight=1
                    tidegate.inbound.paths=/api/**
                    tidegate.console.enabled=true
                    management.endpoints.web.exposure.include=*
                    """;
            try (ConfigurableApplicationContext app = Apps.start(type, properties, App.class)) {
                for (String path :
                        List.of("/api/free", "/api/nested", "/api/refused", "/actuator/tidegate/guard/inventory")) {
                    System.out.println(told(Apps.get(app, path)));
                }
            }
        }

        private static String told(HttpResponse<String> response) {
            String body = response.body();
            String shown = body;
            if (body.contains("\"AB_ERR_FULL\"")) {
                shown = "AB_ERR_FULL";
            } else if (body.contains("\"kind\":\"guard\"")) {
                shown = "guard";
            }
            return response.statusCode() + " " + shown;
        }

        @Configuration(proxyBeanMethods = false)
        @EnableAutoConfiguration
        @Import(Api.class)
        static class App {}

        @RestController
        static class Api {
            private final Environment environment;

            Api(Environment environment) {
                this.environment = environment;
            }

            @GetMapping("/api/free")
            String free() {
                return "free";
            }

            /* The request within it is one too many. */
            @GetMapping("/api/nested")
            CompletableFuture<String> nested() {
                String port = environment.getRequiredProperty("local.server.port");
                URI free = URI.create("http://localhost:" + port + "/api/free");
                return HttpClient.newHttpClient()
                        .sendAsync(HttpRequest.newBuilder(free).build(), HttpResponse.BodyHandlers.ofString())
                        .thenApply(Application::told);
            }

            @GetMapping("/api/refused")
            String refused() throws Exception {
                AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
                bulkhead.submit(CompletableFuture<String>::new);
                return Guard.builder("full").bulkhead(bulkhead).build().call(() -> "never");
            }
        }
    }
}

package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import io.tidegate.Registry;
import io.tidegate.console.Console;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;

/** The console of an application, set up by properties. */
class ConsoleTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final String ON = """
            tidegate.guards.inventory.bulkhead.max-in-flight=4
            tidegate.console.enabled=true
            tidegate.console.port=0
            """;

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({TidegateAutoConfiguration.class, ConsoleAutoConfiguration.class})
    static class App {}

    private static ConfigurableApplicationContext start(String properties) {
        return Apps.start(WebApplicationType.NONE, properties, App.class);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    @DisplayName("SB-1 the console shows all parts of the application, for as long as that runs")
    void console_enabled_showsParts() throws Exception {
        URI parts;
        try (ConfigurableApplicationContext app =
                start(ON + "tidegate.console.path=/ops\ntidegate.console.hosts=ops.example.org,other:8443")) {
            String url = app.getBean(ConsoleLifecycle.class).url();
            assertThat(url).startsWith("http://127.0.0.1:").endsWith("/ops/");
            parts = URI.create(url + "api/parts");
            assertThat(send(HttpRequest.newBuilder(parts)).body())
                    .contains("\"control\":false")
                    .contains("\"kind\":\"guard\",\"name\":\"inventory\"")
                    .contains("\"layers\":[{\"layer\":\"bulkhead\"");
        }
        assertThatThrownBy(() -> send(HttpRequest.newBuilder(parts))).isInstanceOf(ConnectException.class);
    }

    @Test
    @DisplayName("SB-1 with a token in the configuration the parts of the application can be changed")
    void console_token_controls() throws Exception {
        try (ConfigurableApplicationContext app = start(ON + "tidegate.console.token=" + TOKEN)) {
            URI change =
                    URI.create(app.getBean(ConsoleLifecycle.class).url() + "api/parts/bulkhead/inventory/set-limit");
            HttpRequest.Builder request = HttpRequest.newBuilder(change).POST(BodyPublishers.ofString("{\"limit\":9}"));
            assertThat(send(request).statusCode()).isEqualTo(401);
            assertThat(send(request.header("Authorization", "Bearer " + TOKEN)).statusCode())
                    .isEqualTo(200);
            assertThat(app.getBean(Registry.class).find("bulkhead", "inventory").toString())
                    .contains("9");
        }
    }

    @Test
    @DisplayName("SB-7 no console is made that is not enabled")
    void console_notEnabled_absent() {
        for (String properties : new String[] {"", "tidegate.console.enabled=false\ntidegate.console.port=0"}) {
            try (ConfigurableApplicationContext app = start(properties)) {
                assertThat(app.getBeansOfType(ConsoleLifecycle.class)).isEmpty();
                assertThat(app.getBeansOfType(Console.class)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port|-1|-1 (expected: 0 to 65535)",
                "port|many|many (expected: a whole number)",
                "token|too short|(not shown) (expected: letters, digits and signs of ASCII without spaces)",
                "path|ops|ops (expected: such as /ops or /ops/tidegate)",
                "hosts|http://x|[http://x] (expected: such as ops.example.org or ops.example.org:8443)",
                "address|no such|no such (expected: an address of this machine, such as 127.0.0.1)",
                "prot|1|1 (expected: a property that there is: see the guide, or what an editor proposes)",
            })
    @DisplayName("SB-2 a bad setting of the console stops the start with its name, its value and what was expected")
    void console_badProperty_stopsStart(String property, String value, String problem) {
        assertThatThrownBy(() ->
                        start(ON + "tidegate.console." + property + "=" + value).close())
                .extracting(NestedExceptionUtils::getMostSpecificCause, THROWABLE)
                .isInstanceOf(BadPropertyException.class)
                .hasMessage("tidegate.console." + property + ": " + problem);
    }

    @Test
    @DisplayName("SB-2 a port that is taken stops the start")
    void console_portTaken_stopsStart() {
        try (ConfigurableApplicationContext app = start(ON)) {
            int port = URI.create(app.getBean(ConsoleLifecycle.class).url()).getPort();
            String same = ON.replace("port=0", "port=" + port);
            assertThatThrownBy(() -> start(same).close())
                    .extracting(NestedExceptionUtils::getMostSpecificCause, THROWABLE)
                    .isInstanceOf(BadPropertyException.class)
                    .hasMessageStartingWith("tidegate.console.port: " + port + " (expected: a port that is free");
        }
    }
}

package io.tidegate.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;
import org.yaml.snakeyaml.Yaml;

/** Starts applications and sends them HTTP requests. */
final class Apps {
    private Apps() {}

    /** Starts an application with properties as a file would contain them. */
    static ConfigurableApplicationContext start(WebApplicationType type, String properties, Class<?>... sources) {
        List<String> lines = new ArrayList<>(List.of(
                "server.port=0", "spring.main.banner-mode=off", "spring.jmx.enabled=false", "logging.level.root=off"));
        lines.addAll(properties.lines().filter(line -> !line.isBlank()).toList());
        return new SpringApplicationBuilder(sources)
                .web(type)
                .initializers(context -> preferNetty(type, context))
                .properties(lines.toArray(String[]::new))
                .run();
    }

    /*
     * Makes Boot prefer Netty to Tomcat, which is also on the class path. The class for it is in another package on
     * each line of Boot.
     */
    private static void preferNetty(WebApplicationType type, ConfigurableApplicationContext context) {
        if (type != WebApplicationType.REACTIVE || context.getEnvironment().containsProperty("test.on-tomcat")) {
            return;
        }
        for (String line : List.of("web.embedded.netty", "reactor.netty")) {
            String name = "org.springframework.boot." + line + ".NettyReactiveWebServerFactory";
            if (ClassUtils.isPresent(name, null)) {
                ((BeanDefinitionRegistry) context)
                        .registerBeanDefinition(
                                "netty", new RootBeanDefinition(ClassUtils.resolveClassName(name, null)));
            }
        }
    }

    static URI uri(ConfigurableApplicationContext app, String path) {
        return URI.create("http://localhost:" + app.getEnvironment().getProperty("local.server.port") + path);
    }

    static HttpResponse<String> get(ConfigurableApplicationContext app, String path) {
        return send(HttpRequest.newBuilder(uri(app, path)).build());
    }

    static HttpResponse<String> post(ConfigurableApplicationContext app, String path, String json) {
        return send(HttpRequest.newBuilder(uri(app, path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    static CompletableFuture<HttpResponse<String>> getLater(ConfigurableApplicationContext app, String path) {
        return client().sendAsync(HttpRequest.newBuilder(uri(app, path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    static HttpResponse<String> send(HttpRequest request) {
        try {
            return client().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(request.toString(), failed);
        }
    }

    /* Returns a new client each time, because a reused connection may be one that the server is just closing. */
    private static HttpClient client() {
        return HttpClient.newHttpClient();
    }

    /** Reads JSON, which is also YAML. */
    static Map<String, Object> json(HttpResponse<String> response) {
        return new Yaml().load(response.body());
    }
}

package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An endpoint that is exposed, but without access to change anything. */
class ReadOnlyTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}

    @Test
    @DisplayName("SB-3 an exposed endpoint shows and changes nothing; an open breaker is DOWN if set so")
    void endpoint_exposedOnly_changesNothing() {
        try (ConfigurableApplicationContext app = Apps.start(WebApplicationType.SERVLET, """
                tidegate.guards.inventory.breaker=
                tidegate.health.open-breaker-is-down=true
                management.endpoints.web.exposure.include=tidegate,health
                """, App.class)) {
            CircuitBreaker breaker = (CircuitBreaker)
                    app.getBean(Registry.class).find("breaker", "inventory").orElseThrow();
            HttpResponse<String> refused = Apps.post(app, "/actuator/tidegate/breaker/inventory/forceOpen", "{}");
            assertThat(refused.statusCode()).isIn(404, 405);
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
            assertThat(Apps.get(app, "/actuator/tidegate/breaker/inventory").statusCode())
                    .isEqualTo(200);
            assertThat(Apps.get(app, "/actuator/health").statusCode()).isEqualTo(200);
            breaker.forceOpen();
            assertThat(Apps.get(app, "/actuator/health").statusCode()).isEqualTo(503);
            assertThat(app.containsBean("tidegateInboundFilter")).isFalse();
        }
    }
}

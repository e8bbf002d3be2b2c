package io.tidegate.spring;

import io.tidegate.Registry;
import io.tidegate.guard.Guard;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The endpoint, and the health of the guards on Boot 3 or Boot 4. */
@AutoConfiguration(after = TidegateAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
class ActuatorAutoConfiguration {
    @Bean
    @ConditionalOnAvailableEndpoint
    TidegateEndpoint tidegateEndpoint(Registry registry, ObjectProvider<Guards> guards) {
        return new TidegateEndpoint(registry, guards.getIfAvailable());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnBean(Guard.class)
    @ConditionalOnProperty(name = "management.health.tidegate.enabled", matchIfMissing = true)
    static class HealthOfBoot3 {
        @Bean
        org.springframework.boot.actuate.health.HealthIndicator tidegateHealthIndicator(
                Registry registry, Environment environment) {
            boolean openIsDown = isOpenDown(environment);
            return () -> {
                GuardHealth health = GuardHealth.of(registry, openIsDown);
                return (health.isUp()
                                ? org.springframework.boot.actuate.health.Health.up()
                                : org.springframework.boot.actuate.health.Health.down())
                        .withDetails(health.details())
                        .build();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnBean(Guard.class)
    @ConditionalOnProperty(name = "management.health.tidegate.enabled", matchIfMissing = true)
    static class HealthOfBoot4 {
        @Bean
        org.springframework.boot.health.contributor.HealthIndicator tidegateHealthIndicator(
                Registry registry, Environment environment) {
            boolean openIsDown = isOpenDown(environment);
            return () -> {
                GuardHealth health = GuardHealth.of(registry, openIsDown);
                return (health.isUp()
                                ? org.springframework.boot.health.contributor.Health.up()
                                : org.springframework.boot.health.contributor.Health.down())
                        .withDetails(health.details())
                        .build();
            };
        }
    }

    private static boolean isOpenDown(Environment environment) {
        return environment.getProperty("tidegate.health.open-breaker-is-down", Boolean.class, false);
    }
}

package io.tidegate.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidegate.Registry;
import io.tidegate.micrometer.TidegateMetrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The measures of all parts as meters, which Boot binds to each registry of meters. */
@AutoConfiguration(
        after = TidegateAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
class MetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    TidegateMetrics tidegateMetrics(Registry registry) {
        return new TidegateMetrics(registry);
    }
}

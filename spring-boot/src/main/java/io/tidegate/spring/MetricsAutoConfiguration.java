package io.tidegate.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidegate.Registry;
import io.tidegate.micrometer.TidegateMetrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Binds the measures of all parts to each registry of meters, through Boot. */
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

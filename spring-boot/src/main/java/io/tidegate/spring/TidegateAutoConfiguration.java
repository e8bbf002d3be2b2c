package io.tidegate.spring;

import io.tidegate.Registry;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** The guards of the configuration, the registry, and guarded methods. */
@AutoConfiguration
@Import(GuardRegistrar.class)
@ImportRuntimeHints(TidegateHints.class)
class TidegateAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Registry tidegateRegistry() {
        return new Registry();
    }

    @Bean
    static PartCollector tidegatePartCollector(ObjectProvider<Registry> registry, BeanFactory beans) {
        return new PartCollector(registry, beans);
    }

    @Bean
    static GuardedPostProcessor tidegateGuardedPostProcessor(
            ConfigurableListableBeanFactory beans, Environment environment) {
        GuardedPostProcessor processor = new GuardedPostProcessor(beans);
        // The same property as for Boot's other proxies, so that a bean keeps its own class by default.
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }
}

package io.tidegate.spring;

import io.tidegate.Registry;
import io.tidegate.console.Console;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The console, if it is on the class path and enabled. */
@AutoConfiguration(after = TidegateAutoConfiguration.class)
@ConditionalOnClass(Console.class)
@ConditionalOnProperty("tidegate.console.enabled")
class ConsoleAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(Console.class)
    ConsoleLifecycle tidegateConsole(Registry registry, Environment environment) {
        return new ConsoleLifecycle(registry, SettingsBinder.read(environment).console());
    }
}

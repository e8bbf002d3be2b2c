package io.tidegate.spring;

import io.tidegate.Registry;
import io.tidegate.spring.TidegateProperties.Inbound;
import java.util.function.Predicate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The limit on requests, if it is configured. */
@AutoConfiguration(after = TidegateAutoConfiguration.class)
@ConditionalOnWebApplication
@Conditional(InboundAutoConfiguration.IsConfigured.class)
class InboundAutoConfiguration {
    /** The settings are a bean if they are not empty. */
    static final class IsConfigured implements ConfigurationCondition {
        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            return beans != null
                    && beans.getSingleton(SettingsBinder.BEAN) instanceof TidegateProperties settings
                    && settings.inbound() != null;
        }
    }

    @Bean
    InboundLimit tidegateInboundLimit(Guards guards, ObjectProvider<EndpointPaths> endpoints, Registry registry) {
        Inbound settings = guards.settings().inbound();
        if (settings == null) {
            throw new BadPropertyException("tidegate.inbound", null, "the section that was there at the start");
        }
        EndpointPaths paths = endpoints.getIfAvailable();
        Predicate<String> none = path -> false;
        return new InboundLimit(guards, settings, paths == null ? none : paths, registry);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints")
    static class Endpoints {
        @Bean
        EndpointPaths tidegateEndpointPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new EndpointPaths(endpoints, environment.getProperty("spring.mvc.servlet.path", ""));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Servlet {
        @Bean
        InboundFilter tidegateInboundFilter(InboundLimit limit) {
            return new InboundFilter(limit);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class Reactive {
        @Bean
        InboundWebFilter tidegateInboundFilter(InboundLimit limit) {
            return new InboundWebFilter(limit);
        }
    }
}

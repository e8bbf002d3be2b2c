package io.tidegate.spring;

import io.tidegate.guard.Guard;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Defines a bean for each guard of the configuration, by its name, and nothing if there is none. */
final class GuardRegistrar implements ImportBeanDefinitionRegistrar {
    static final String GUARDS = "tidegateGuards";

    private final Environment environment;

    GuardRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        TidegateProperties settings = SettingsBinder.read(environment);
        if (settings.guards().isEmpty() && settings.inbound() == null) {
            return;
        }
        if (registry instanceof SingletonBeanRegistry beans) {
            beans.registerSingleton(SettingsBinder.BEAN, settings); // read once for the whole start
        }
        registry.registerBeanDefinition(
                GUARDS, BeanDefinitionBuilder.rootBeanDefinition(Guards.class).getBeanDefinition());
        registry.registerBeanDefinition(
                "tidegateLiveChanges",
                BeanDefinitionBuilder.rootBeanDefinition(LiveChanges.class).getBeanDefinition());
        for (String name : settings.guards().keySet()) {
            requireFree(name, registry);
            // By a method of another bean and not by a lambda, which could not be written down for a native image.
            RootBeanDefinition guard = new RootBeanDefinition();
            guard.setTargetType(Guard.class);
            guard.setFactoryBeanName(GUARDS);
            guard.setFactoryMethodName("guard");
            guard.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
            registry.registerBeanDefinition(name, guard);
        }
    }

    private static void requireFree(String name, BeanDefinitionRegistry registry) {
        if (registry.containsBeanDefinition(name)) {
            Class<?> other =
                    registry instanceof ConfigurableListableBeanFactory beans ? beans.getType(name, false) : null;
            throw new BadPropertyException(
                    Guards.prefix(name),
                    name,
                    "a name that no other bean has, but there is one"
                            + (other == null ? "" : ", a " + other.getName()));
        }
    }
}

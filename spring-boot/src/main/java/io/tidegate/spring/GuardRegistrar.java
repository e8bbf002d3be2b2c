package io.tidegate.spring;

import io.tidegate.guard.Guard;
import io.tidegate.spring.TidegateProperties.GuardSettings;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Defines a bean for each guard of the configuration, under the guard's name. Without guards it does nothing. */
final class GuardRegistrar implements ImportBeanDefinitionRegistrar {
    static final String GUARDS = "tidegateGuards";

    /** Appended to the name of a guard's bean if another bean has the name. */
    private static final String SUFFIX = "Guard";

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
        settings.guards().keySet().forEach(GuardRegistrar::requireName);
        if (settings.inbound() != null) {
            requireNoBulkhead(InboundLimit.NAME, settings.guards().get(InboundLimit.NAME));
        }
        for (String name : settings.guards().keySet()) {
            // Uses a factory method of another bean, because a native image could not record a lambda.
            RootBeanDefinition guard = new RootBeanDefinition();
            guard.setTargetType(Guard.class);
            guard.setFactoryBeanName(GUARDS);
            guard.setFactoryMethodName("guard");
            guard.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
            guard.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            registry.registerBeanDefinition(freeName(name, registry), guard);
        }
    }

    private static void requireName(String name) {
        if (name.isBlank()) {
            throw new BadPropertyException(
                    Guards.prefix(name), "'" + name + "'", "a name of a guard that is not blank");
        }
    }

    private static void requireNoBulkhead(String name, @Nullable GuardSettings guard) {
        if (guard != null && guard.bulkhead() != null) {
            throw new BadPropertyException(
                    Guards.prefix(name) + ".bulkhead",
                    "set",
                    "another name of the guard, as the limit of requests is the bulkhead " + name);
        }
    }

    /*
     * Returns a name that no other bean has. A program with a guard "inventory" is likely to have a class Inventory,
     * too, whose bean has that name.
     */
    private static String freeName(String name, BeanDefinitionRegistry registry) {
        if (!registry.isBeanNameInUse(name)) {
            return name;
        }
        String other = name + SUFFIX;
        if (registry.isBeanNameInUse(other)) {
            throw new BadPropertyException(
                    Guards.prefix(name), name, "a name that no bean has, but there are both " + name + " and " + other);
        }
        return other;
    }

    /** Returns the name of the bean that is the guard of this name; null if there is none. */
    static @Nullable String beanName(String guard, BeanFactory beans) {
        return Stream.of(guard, guard + SUFFIX)
                .filter(name -> beans.containsBean(name) && beans.isTypeMatch(name, Guard.class))
                .findFirst()
                .orElse(null);
    }
}

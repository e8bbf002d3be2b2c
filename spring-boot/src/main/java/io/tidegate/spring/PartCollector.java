package io.tidegate.spring;

import io.tidegate.Part;
import io.tidegate.Registry;
import io.tidegate.guard.Guard;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Adds each bean that is a part to the registry when the bean is made. With a guard it adds the guard's parts, too. */
final class PartCollector implements BeanPostProcessor, PriorityOrdered {
    private final ObjectProvider<Registry> registry;
    private final BeanFactory beans;

    PartCollector(ObjectProvider<Registry> registry, BeanFactory beans) {
        this.registry = registry;
        this.beans = beans;
    }

    /** Runs before all other processors, so that it sees parts and not the proxies around them. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Part part && beans.containsBean(name) && beans.isSingleton(name)) {
            try {
                Registry to = registry.getObject();
                to.add(part);
                if (part instanceof Guard guard) {
                    guard.parts().forEach(to::add);
                }
            } catch (IllegalArgumentException twice) {
                throw new BeanCreationException(name, "cannot join the registry: " + twice.getMessage(), twice);
            }
        }
        return bean;
    }
}

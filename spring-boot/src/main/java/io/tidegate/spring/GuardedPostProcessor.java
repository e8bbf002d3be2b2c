package io.tidegate.spring;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.Pointcuts;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;

/** Puts guards around the methods of beans that ask for one, outside all other advice. */
final class GuardedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {
    private static final long serialVersionUID = 1L;

    private final transient ConfigurableListableBeanFactory beans;
    private final transient Map<Method, GuardedMethod> methods = new ConcurrentHashMap<>();
    private final transient Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

    @SuppressWarnings("this-escape") // no other code sees it before it is complete
    GuardedPostProcessor(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        setBeforeExistingAdvisors(true);
        this.advisor = new DefaultPointcutAdvisor(
                Pointcuts.union(
                        new AnnotationMatchingPointcut(Guarded.class, true),
                        new AnnotationMatchingPointcut(null, Guarded.class, true)),
                new GuardedInterceptor(beans, methods));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        check(AopUtils.getTargetClass(bean));
        return super.postProcessAfterInitialization(bean, name);
    }

    /** Also checks beans that are not made yet, and may never be. */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            if (!beans.containsSingleton(name) && !beans.getBeanDefinition(name).isAbstract()) {
                Class<?> type = beans.getType(name, false);
                if (type != null) {
                    check(type);
                }
            }
        }
    }

    private void check(Class<?> type) {
        if (!isEligible(type) || !checked.add(type)) {
            return;
        }
        Map<Method, Guarded> found = MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<Guarded>)
                method -> method.getDeclaringClass() == Object.class ? null : GuardedMethod.annotationOf(method, type));
        Set<GuardedMethod> read = new HashSet<>();
        found.forEach((method, annotation) -> read.add(GuardedMethod.of(method, type, annotation, beans)));
        read.forEach(each -> methods.put(each.method(), each));
    }
}

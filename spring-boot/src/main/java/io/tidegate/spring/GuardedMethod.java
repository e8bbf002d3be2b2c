package io.tidegate.spring;

import io.tidegate.guard.Guard;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean with its annotation.
 *
 * @param guard the name of the bean that guards it
 */
record GuardedMethod(
        Method method,
        String guard,
        Returns returns,
        @Nullable Method fallback) {
    private static final String MONO = "reactor.core.publisher.Mono";

    /** When a call is over. */
    enum Returns {
        /** When the method returns. */
        VALUE,

        /** When the returned stage ends. */
        STAGE,

        /** When the returned Mono ends. */
        MONO
    }

    /**
     * Returns the annotation of a method, otherwise that of its class; null if neither has one. That of the class
     * applies to methods that a proxy can guard.
     */
    static @Nullable Guarded annotationOf(Method method, Class<?> type) {
        Guarded own = AnnotatedElementUtils.findMergedAnnotation(method, Guarded.class);
        return own != null || isOutOfReach(method)
                ? own
                : AnnotatedElementUtils.findMergedAnnotation(type, Guarded.class);
    }

    private static boolean isOutOfReach(Method method) {
        return (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) != 0;
    }

    /**
     * Reads and checks the annotation.
     *
     * @throws GuardedMethodException if the method cannot be guarded like that
     */
    static GuardedMethod of(Method method, Class<?> type, Guarded annotation, ListableBeanFactory beans) {
        if (isOutOfReach(method)) {
            throw new GuardedMethodException(
                    method, "method", Modifier.toString(method.getModifiers()), "not private, static or final");
        }
        String guard = GuardRegistrar.beanName(annotation.value(), beans);
        if (guard == null) {
            String[] there = beans.getBeanNamesForType(Guard.class, true, false);
            Arrays.sort(there);
            throw new GuardedMethodException(
                    method,
                    "guard",
                    annotation.value(),
                    there.length == 0 ? "a guard, but there is none" : "one of " + String.join(", ", there));
        }
        Returns returns = returns(method);
        String fallback = annotation.fallback();
        return new GuardedMethod(method, guard, returns, fallback.isEmpty() ? null : fallback(method, type, fallback));
    }

    private static Returns returns(Method method) {
        Class<?> type = method.getReturnType();
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return Returns.STAGE;
        }
        if (type.getName().equals(MONO)) {
            return Returns.MONO;
        }
        if (CompletionStage.class.isAssignableFrom(type)
                || Future.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null) {
            throw new GuardedMethodException(
                    method,
                    "return type",
                    type.getName(),
                    "a value, void, CompletionStage, CompletableFuture or Mono, so that the guard sees how it ends");
        }
        return Returns.VALUE;
    }

    private static Method fallback(Method method, Class<?> type, String name) {
        Method found = findFallback(method, type, name);
        if (found == null || !ClassUtils.isAssignable(method.getReturnType(), found.getReturnType())) {
            String parameters = String.join(
                    ", ",
                    Arrays.stream(method.getParameterTypes())
                            .map(Class::getTypeName)
                            .toList());
            throw new GuardedMethodException(
                    method,
                    "fallback",
                    name,
                    method.getReturnType().getTypeName() + " " + name + "(" + parameters + ") in " + type.getName()
                            + ", perhaps with a Throwable after its parameters");
        }
        return found;
    }

    /** Returns the method of this name with the same parameters and a Throwable, or else with the same parameters. */
    static @Nullable Method findFallback(Method method, Class<?> type, String name) {
        Class<?>[] same = method.getParameterTypes();
        Class<?>[] more = Arrays.copyOf(same, same.length + 1);
        more[same.length] = Throwable.class;
        Method found = ReflectionUtils.findMethod(type, name, more);
        return found != null ? found : ReflectionUtils.findMethod(type, name, same);
    }

    boolean declares(Throwable error) {
        return Arrays.stream(method.getExceptionTypes()).anyMatch(declared -> declared.isInstance(error));
    }
}

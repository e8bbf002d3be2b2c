package io.tidegate.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.util.ReflectionUtils;

/** Lets native images find fallbacks. */
final class FallbackHints implements ReflectiveProcessor {
    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (element instanceof Method method) {
            register(hints, method, method.getDeclaringClass());
        } else if (element instanceof Class<?> type) {
            for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
                register(hints, method, type);
            }
        }
    }

    private static void register(ReflectionHints hints, Method method, Class<?> type) {
        Guarded annotation = GuardedMethod.annotationOf(method, type);
        if (annotation != null && !annotation.fallback().isEmpty()) {
            Method fallback = GuardedMethod.findFallback(method, type, annotation.fallback());
            if (fallback != null) {
                hints.registerMethod(fallback, ExecutableMode.INVOKE);
            }
        }
    }
}

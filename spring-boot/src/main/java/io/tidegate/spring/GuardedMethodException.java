package io.tidegate.spring;

import java.io.Serial;
import java.lang.reflect.Method;

/** A method that cannot be guarded as its annotation says. */
final class GuardedMethodException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    GuardedMethodException(Method method, String what, String value, String expected) {
        super("@Guarded on " + method.getDeclaringClass().getName() + "." + method.getName() + ": " + what + ": "
                + value + " (expected: " + expected + ")");
    }
}

package io.tidegate.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Puts a guard around each call of a bean's method, or of all of its methods.
 *
 * <pre>{@code
 * @Guarded(value = "inventory", fallback = "unknown")
 * Stock stockOf(String article) { … }
 *
 * Stock unknown(String article, Throwable error) { … }
 * }</pre>
 *
 * <p>A method that returns a {@link java.util.concurrent.CompletionStage}, a {@link
 * java.util.concurrent.CompletableFuture} or a {@code Mono} is guarded until that ends; every other method until it
 * returns. Exceptions of the method reach its caller unchanged, and so do refusals. A checked exception of the guard
 * that the method does not declare, as for a time limit, comes inside a {@link
 * java.util.concurrent.CompletionException}.
 *
 * <p>As with all proxies of Spring, a call from within the same bean is not guarded. The guard is outside the effects
 * of other annotations, such as a transaction.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Reflective(FallbackHints.class)
public @interface Guarded {
    /** The name of a guard of the configuration, or of a bean that is a {@link io.tidegate.guard.Guard}. */
    String value();

    /**
     * A method of the same class that provides the result when the call has failed or was refused, but not for an
     * {@link Error} or an interrupt. It has the same parameters, optionally a {@link Throwable} after them, and the
     * same return type. Default: none.
     */
    String fallback() default "";
}

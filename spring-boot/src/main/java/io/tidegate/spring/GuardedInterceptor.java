package io.tidegate.spring;

import io.tidegate.guard.Guard;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** Runs each call of a method through its guard. */
final class GuardedInterceptor implements MethodInterceptor {
    private final BeanFactory beans;
    private final Map<Method, GuardedMethod> methods;

    GuardedInterceptor(BeanFactory beans, Map<Method, GuardedMethod> methods) {
        this.beans = beans;
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Method called = target == null
                ? invocation.getMethod()
                : AopUtils.getMostSpecificMethod(invocation.getMethod(), target.getClass());
        GuardedMethod method = methods.get(called);
        if (method == null) {
            return invocation.proceed();
        }
        Guard guard = beans.getBean(method.guard(), Guard.class);
        return switch (method.returns()) {
            case VALUE -> call(guard, method, invocation);
            case STAGE -> submit(guard, method, invocation);
            case MONO -> GuardedMono.of(guard, method, invocation);
        };
    }

    // Values

    private static @Nullable Object call(Guard guard, GuardedMethod method, MethodInvocation invocation)
            throws Throwable {
        try {
            return guard.call(() -> proceed(invocation));
        } catch (Exception error) {
            if (isForFallback(method, error)) {
                return fallBack(method, invocation, error);
            }
            throw asDeclared(method, error);
        }
    }

    /* A proxy cannot throw a checked exception that its method does not declare. */
    private static Exception asDeclared(GuardedMethod method, Exception error) {
        if (error instanceof RuntimeException || method.declares(error)) {
            return error;
        }
        if (error instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new CompletionException(error);
    }

    /** Runs the method. Each attempt passes through the other advice around the method on its own. */
    static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
        } catch (Exception | Error thrown) {
            throw thrown;
        } catch (Throwable other) {
            throw new CompletionException(other);
        }
    }

    // Stages

    private static CompletionStage<?> submit(Guard guard, GuardedMethod method, MethodInvocation invocation) {
        CompletionStage<Object> submission = guard.submit(() -> stage(() -> proceed(invocation)));
        return method.fallback() == null ? submission : new Substituted(method, invocation, submission);
    }

    @SuppressWarnings("unchecked") // as the method's return type shows
    private static CompletionStage<Object> stage(Callable<@Nullable Object> call) {
        try {
            Object returned = call.call();
            return returned != null
                    ? (CompletionStage<Object>) returned
                    : CompletableFuture.failedFuture(new NullPointerException("stage: null (expected: a stage)"));
        } catch (Exception error) {
            return CompletableFuture.failedFuture(error);
        }
    }

    /** The result of a submission, or of its fallback. Ending it from outside ends the submission. */
    private static final class Substituted extends CompletableFuture<Object> {
        @SuppressWarnings({"FutureReturnValueIgnored", "this-escape"}) // the registered callbacks never fail
        Substituted(GuardedMethod method, MethodInvocation invocation, CompletionStage<Object> submission) {
            submission.whenComplete((value, error) -> {
                if (isDone() || error == null || !isForFallback(method, error)) {
                    end(this, value, error);
                } else {
                    stage(() -> fallBack(method, invocation, error))
                            .whenComplete((other, failed) -> end(this, other, failed));
                }
            });
            whenComplete((value, error) -> end(submission.toCompletableFuture(), value, error));
        }

        private static void end(CompletableFuture<Object> future, Object value, @Nullable Throwable error) {
            if (error == null) {
                future.complete(value);
            } else if (error instanceof CancellationException) {
                future.cancel(false);
            } else {
                future.completeExceptionally(error);
            }
        }
    }

    // Fallbacks

    static boolean isForFallback(GuardedMethod method, Throwable error) {
        Throwable bare = error;
        while ((bare instanceof CompletionException || bare instanceof ExecutionException) && bare.getCause() != null) {
            bare = bare.getCause();
        }
        return method.fallback() != null && !(bare instanceof Error) && !(bare instanceof InterruptedException);
    }

    static @Nullable Object fallBack(GuardedMethod method, MethodInvocation invocation, Throwable error)
            throws Exception {
        Method fallback = method.fallback();
        if (fallback == null) {
            throw new IllegalStateException("fallback: none (expected: one)");
        }
        Object[] arguments = invocation.getArguments();
        if (fallback.getParameterCount() > arguments.length) {
            arguments = Arrays.copyOf(arguments, arguments.length + 1);
            arguments[arguments.length - 1] = error;
        }
        ReflectionUtils.makeAccessible(fallback);
        try {
            return fallback.invoke(invocation.getThis(), arguments);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            ReflectionUtils.rethrowException(thrown.getTargetException());
            throw thrown;
        }
    }
}

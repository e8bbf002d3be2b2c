package io.tidegate.spring;

import io.tidegate.guard.Guard;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Guards a method that returns a Mono: each subscription is a call. */
final class GuardedMono {
    private GuardedMono() {}

    static Mono<Object> of(Guard guard, GuardedMethod method, MethodInvocation invocation) {
        Mono<Object> guarded = Mono.deferContextual(context -> {
            Queue<CompletableFuture<Object>> attempts = new ConcurrentLinkedQueue<>();
            return Mono.fromCompletionStage(guard.submit(() -> {
                        CompletableFuture<Object> attempt = subscribe(invocation, context);
                        attempts.add(attempt);
                        return attempt;
                    }))
                    // ends those that a limit gave up
                    .doFinally(end -> attempts.forEach(attempt -> attempt.cancel(true)));
        });
        return guarded.onErrorMap(CompletionException.class, GuardedMono::bare)
                .onErrorResume(
                        error -> GuardedInterceptor.isForFallback(method, error),
                        error -> fallBack(method, invocation, error));
    }

    private static Throwable bare(CompletionException wrapped) {
        Throwable cause = wrapped.getCause();
        return cause == null ? wrapped : cause;
    }

    @SuppressWarnings("unchecked") // as the method's return type shows
    private static CompletableFuture<Object> subscribe(MethodInvocation invocation, ContextView context) {
        try {
            Mono<Object> mono = (Mono<Object>) GuardedInterceptor.proceed(invocation);
            if (mono == null) {
                throw new NullPointerException("the guarded method returned null (expected: a Mono)");
            }
            return mono.contextWrite(context).toFuture();
        } catch (Exception error) {
            return CompletableFuture.failedFuture(error);
        }
    }

    @SuppressWarnings("unchecked") // as the method's return type shows
    private static Mono<Object> fallBack(GuardedMethod method, MethodInvocation invocation, Throwable error) {
        try {
            Mono<@Nullable Object> other = (Mono<Object>) GuardedInterceptor.fallBack(method, invocation, error);
            return other == null ? Mono.empty() : other;
        } catch (Exception thrown) {
            return Mono.error(thrown);
        }
    }
}

package io.tidegate.spring.http;

import static java.util.Objects.requireNonNull;

import io.tidegate.guard.Guard;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Puts a guard around each call of a {@code WebClient}, until the response headers are there.
 *
 * <pre>{@code
 * WebClient inventory = builder.baseUrl(url).filter(new GuardFilter(guard)).build();
 * }</pre>
 *
 * <p>The guard treats responses as that of a {@link GuardInterceptor} does. Cancelling a subscription ends its call.
 */
public final class GuardFilter implements ExchangeFilterFunction {
    private final Guard guard;

    /** Makes a filter that calls through {@code guard}. */
    public GuardFilter(Guard guard) {
        this.guard = requireNonNull(guard, "guard");
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(context -> Mono.fromFuture(new ReactiveExchange(guard)
                        .submit(() ->
                                next.exchange(request).contextWrite(context).toFuture())))
                .onErrorMap(
                        CompletionException.class,
                        wrapped -> wrapped.getCause() == null ? wrapped : wrapped.getCause());
    }

    private static final class ReactiveExchange extends Exchange<ClientResponse> {
        ReactiveExchange(Guard guard) {
            super(guard);
        }

        @Override
        @Nullable
        FailedResponse failure(ClientResponse response) {
            return FailedResponse.of(
                    response.statusCode().value(),
                    response.headers().asHttpHeaders().getFirst("Retry-After"));
        }

        @Override
        void discard(ClientResponse response) {
            response.releaseBody().subscribe(nothing -> {}, failed -> {});
        }
    }
}

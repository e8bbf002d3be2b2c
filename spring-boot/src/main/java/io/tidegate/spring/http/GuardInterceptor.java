package io.tidegate.spring.http;

import static java.util.Objects.requireNonNull;

import io.tidegate.guard.Guard;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Puts a guard around each call of a {@code RestClient} or {@code RestTemplate}.
 *
 * <pre>{@code
 * RestClient inventory = builder.baseUrl(url).requestInterceptor(new GuardInterceptor(guard)).build();
 * }</pre>
 *
 * <p>For the guard a response with {@code 500} or above, or {@code 429}, is a failure, and {@code 429} and {@code 503}
 * are overload: a retry waits for at least their {@code Retry-After}, and an adaptive limit falls. The caller still
 * gets the response, the last one if there were several.
 *
 * <p>Refusals are thrown unchanged; an exceeded time limit is the cause of an {@link IOException}, as clients expect.
 * Add this interceptor last: interceptors after it may not run again for a second attempt.
 */
public final class GuardInterceptor implements ClientHttpRequestInterceptor {
    private final Guard guard;

    /** Makes an interceptor that calls through {@code guard}. */
    public GuardInterceptor(Guard guard) {
        this.guard = requireNonNull(guard, "guard");
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        try {
            return new SpringExchange(guard).call(() -> execution.execute(request, body));
        } catch (IOException | RuntimeException thrown) {
            throw thrown;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            InterruptedIOException thrown = new InterruptedIOException(interrupted.getMessage());
            thrown.initCause(interrupted);
            throw thrown;
        } catch (Exception checked) {
            throw new IOException(checked.getMessage(), checked);
        }
    }

    private static final class SpringExchange extends Exchange<ClientHttpResponse> {
        SpringExchange(Guard guard) {
            super(guard);
        }

        @Override
        @Nullable
        FailedResponse failure(ClientHttpResponse response) throws IOException {
            return FailedResponse.of(
                    response.getStatusCode().value(), response.getHeaders().getFirst("Retry-After"));
        }

        @Override
        void discard(ClientHttpResponse response) {
            response.close();
        }
    }
}

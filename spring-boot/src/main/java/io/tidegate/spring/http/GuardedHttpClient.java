package io.tidegate.spring.http;

import static java.util.Objects.requireNonNull;

import io.tidegate.guard.Guard;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's client with a guard around each call. The guard treats responses as that of a {@link GuardInterceptor}
 * does. Web sockets are not guarded.
 */
public final class GuardedHttpClient extends HttpClient {
    private final HttpClient client;
    private final Guard guard;

    /** Makes a client that calls {@code client} through {@code guard}. */
    public GuardedHttpClient(HttpClient client, Guard guard) {
        this.client = requireNonNull(client, "client");
        this.guard = requireNonNull(guard, "guard");
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        try {
            return new JdkExchange<T>(guard).call(() -> client.send(request, handler));
        } catch (IOException | InterruptedException | RuntimeException thrown) {
            throw thrown;
        } catch (Exception checked) {
            throw new IOException(checked.getMessage(), checked);
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return new JdkExchange<T>(guard).submit(() -> client.sendAsync(request, handler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        return new JdkExchange<T>(guard).submit(() -> client.sendAsync(request, handler, pushes));
    }

    private static final class JdkExchange<T> extends Exchange<HttpResponse<T>> {
        JdkExchange(Guard guard) {
            super(guard);
        }

        @Override
        @Nullable
        FailedResponse failure(HttpResponse<T> response) {
            return FailedResponse.of(
                    response.statusCode(),
                    response.headers().firstValue("Retry-After").orElse(null));
        }

        /* An unread body holds its connection. */
        @Override
        void discard(HttpResponse<T> response) {
            if (response.body() instanceof AutoCloseable body) {
                try {
                    body.close();
                } catch (Exception gone) {
                    // the body would not be read anyway
                }
            }
        }
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }
}

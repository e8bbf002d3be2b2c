package io.tidegate.spring.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.Backoff;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.CircuitOpenException;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.guard.TimeLimitExceededException;
import io.tidegate.retry.Retry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;

/** Guards around the calls of each HTTP client, on a real server. */
class HttpClientsTest {
    private final Queue<String> script = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** Answers with the next prepared status and perhaps a Retry-After, or never; with 200 after the last one. */
    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        arrived.countDown();
        String line = script.poll();
        String[] words = line == null ? new String[] {"200"} : line.split(" ", 2);
        if (words[0].equals("never")) {
            try {
                over.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        } else {
            if (words.length > 1) {
                exchange.getResponseHeaders().set("Retry-After", words[1]);
            }
            byte[] body = ("answer " + words[0]).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(Integer.parseInt(words[0]), body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private URI uri() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    }

    enum Client {
        REST_CLIENT {
            @Override
            String get(URI uri, Guard guard) {
                return RestClient.builder()
                        .requestFactory(new JdkClientHttpRequestFactory())
                        .requestInterceptor(new GuardInterceptor(guard))
                        .build()
                        .get()
                        .uri(uri)
                        .exchange((request, response) ->
                                new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8));
            }
        },
        REST_TEMPLATE {
            @Override
            String get(URI uri, Guard guard) {
                RestTemplate template = new RestTemplate(new JdkClientHttpRequestFactory());
                template.getInterceptors().add(new GuardInterceptor(guard));
                try {
                    return template.getForObject(uri, String.class);
                } catch (org.springframework.web.client.RestClientResponseException status) {
                    return status.getResponseBodyAsString();
                }
            }
        },
        WEB_CLIENT {
            @Override
            String get(URI uri, Guard guard) {
                return WebClient.builder()
                        .filter(new GuardFilter(guard))
                        .build()
                        .get()
                        .uri(uri)
                        .exchangeToMono(response -> response.bodyToMono(String.class))
                        .block();
            }
        },
        JDK {
            @Override
            String get(URI uri, Guard guard) throws Exception {
                return new GuardedHttpClient(HttpClient.newHttpClient(), guard)
                        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                        .body();
            }
        },
        JDK_ASYNC {
            @Override
            String get(URI uri, Guard guard) {
                return new GuardedHttpClient(HttpClient.newHttpClient(), guard)
                        .sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                        .join()
                        .body();
            }
        };

        abstract String get(URI uri, Guard guard) throws Exception;
    }

    private static Retry retry() {
        return Retry.builder()
                .maxAttempts(3)
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("SB-4 answers that are failures are retried and counted by the breaker; the caller gets the last one")
    void failure_isRetriedAndCounted(Client client) throws Exception {
        CircuitBreaker breaker = CircuitBreaker.of("breaker");
        Guard guard = Guard.builder("guard").retry(retry()).breaker(breaker).build();
        script.add("503");
        script.add("500");
        assertThat(client.get(uri(), guard)).isEqualTo("answer 200");
        assertThat(breaker.metrics().failuresSinceStart()).isEqualTo(2);
        for (int i = 0; i < 3; i++) {
            script.add("429");
        }
        assertThat(client.get(uri(), guard)).isEqualTo("answer 429");
        assertThat(breaker.metrics().failuresSinceStart()).isEqualTo(5);
        script.add("404");
        assertThat(client.get(uri(), guard)).isEqualTo("answer 404");
        assertThat(breaker.metrics().failuresSinceStart()).isEqualTo(5);
        assertThat(requests).hasValue(7);
        assertThat(guard.stats().inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("SB-4 Retry-After is the least pause: a pause that would end after the time limit does not begin")
    void retryAfter_isTheLeastPause(Client client) throws Exception {
        Guard guard = Guard.builder("guard")
                .timeLimit(Duration.ofMinutes(5))
                .retry(retry())
                .build();
        script.add("503 3600");
        assertThat(client.get(uri(), guard)).isEqualTo("answer 503");
        script.add("429 "
                + java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        java.time.ZonedDateTime.now(java.time.ZoneOffset.UTC).plusHours(1)));
        assertThat(client.get(uri(), guard)).isEqualTo("answer 429");
        assertThat(requests).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("SB-4 an adaptive limit falls when the callee says that it has too much to do, not when it fails")
    void overload_lowersAnAdaptiveLimit(Client client) throws Exception {
        AsyncBulkhead bulkhead = AdaptiveLimit.aimd().build();
        Guard guard = Guard.builder("guard").bulkhead(bulkhead).build();
        script.add("500");
        client.get(uri(), guard);
        assertThat(bulkhead.maxInFlight()).isEqualTo(20);
        script.add("429");
        client.get(uri(), guard);
        assertThat(bulkhead.maxInFlight()).isLessThan(20);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("SB-4 a refusal is thrown unchanged, and nothing is sent")
    void refusal_isThrown(Client client) {
        CircuitBreaker breaker = CircuitBreaker.of("breaker");
        breaker.forceOpen();
        Guard guard = Guard.builder("guard").breaker(breaker).build();
        Throwable thrown = catchThrowable(() -> client.get(uri(), guard));
        assertThat(thrown instanceof CompletionException ? thrown.getCause() : thrown)
                .isInstanceOf(CircuitOpenException.class);
        assertThat(requests).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("SB-4 a time limit ends a call that gets no answer")
    void timeLimit_endsTheCall(Client client) {
        script.add("never");
        Guard guard = Guard.builder("guard").timeLimit(Duration.ofMillis(50)).build();
        Throwable thrown = catchThrowable(() -> client.get(uri(), guard));
        while (thrown != null && !(thrown instanceof TimeLimitExceededException)) {
            thrown = thrown.getCause();
        }
        assertThat(thrown).isInstanceOf(TimeLimitExceededException.class);
        assertThat(guard.stats().timeouts()).isOne();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("SB-4 the status handling of a client goes on as without a guard")
    void status_isHandledAsUsual() {
        Guard guard =
                Guard.builder("guard").breaker(CircuitBreaker.of("breaker")).build();
        RestClient client = RestClient.builder()
                .requestInterceptor(new GuardInterceptor(guard))
                .build();
        script.add("503 1");
        assertThatThrownBy(() -> client.get().uri(uri()).retrieve().body(String.class))
                .isInstanceOf(HttpServerErrorException.ServiceUnavailable.class);
    }

    @Test
    @DisplayName("SB-4 cancelling a call of WebClient ends it, and its permit is free")
    void cancel_freesThePlace() throws InterruptedException {
        script.add("never");
        AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
        Guard guard = Guard.builder("guard").bulkhead(bulkhead).build();
        Disposable call = WebClient.builder()
                .filter(new GuardFilter(guard))
                .build()
                .get()
                .uri(uri())
                .retrieve()
                .bodyToMono(String.class)
                .subscribe();
        arrived.await();
        assertThat(bulkhead.inFlight()).isOne();
        call.dispose();
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(guard.stats().cancelled()).isOne();
    }

    @ParameterizedTest
    @CsvSource({
        "120, PT2M",
        "' 0 ', PT0S",
        "-5, PT0S",
        "soon, PT0S",
        "'', PT0S",
        "99999999999999999999, PT0S",
        "'Wed, 21 Oct 2026 07:28:30 GMT', PT30S",
        "'Wed, 21 Oct 2026 07:00:00 GMT', PT0S"
    })
    @DisplayName("SB-4 Retry-After is read in seconds or as a date; what cannot be read says nothing")
    void pause_isReadOrZero(String header, Duration expected) {
        assertThat(FailedResponse.pause(header, Instant.parse("2026-10-21T07:28:00Z")))
                .isEqualTo(expected);
        assertThat(FailedResponse.pause(null, Instant.EPOCH)).isZero();
    }
}

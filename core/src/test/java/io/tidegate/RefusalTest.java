package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.CallNotPermittedException;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.lease.BacklogFullException;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RefusalTest {
    private final Refusal refusal = new BacklogFullException("domain", 3);

    @Test
    @DisplayName("RF-1 a full bulkhead")
    void bulkhead_full() {
        AsyncBulkhead bulkhead = AsyncBulkhead.builder(1).name("pay").build();
        bulkhead.submit(CompletableFuture::new);
        assertRefusal(errorOf(bulkhead.submit(CompletableFuture::new)), "AB_ERR_FULL", "pay", Duration.ZERO);
    }

    @Test
    @DisplayName("RF-1 an open breaker, and one whose probes are running")
    void breaker_openAndBusy() {
        long[] now = {0};
        CircuitBreaker breaker = CircuitBreaker.builder("pay")
                .timeout(Duration.ofSeconds(7))
                .readyToTrip(counts -> true)
                .ticker(() -> now[0])
                .build();
        Callable<Object> failing = () -> {
            throw new Exception();
        };
        thrownBy(() -> breaker.execute(failing));
        assertRefusal(thrownBy(() -> breaker.execute(failing)), "CB_ERR_OPEN", "pay", Duration.ofSeconds(7));
        now[0] = Duration.ofSeconds(7).toNanos();
        breaker.tryAcquire();
        Throwable busy = thrownBy(() -> breaker.execute(failing));
        assertRefusal(busy, "CB_ERR_PROBES_BUSY", "pay", ((CallNotPermittedException) busy).retryAfter());
    }

    @Test
    @DisplayName("RF-1 a remote bulkhead by its name, with and without room in its queue; a mistake is no refusal")
    void remote_refuses() {
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(1)
                .name("stock")
                .policy(BackpressurePolicy.reject())
                .build();
        assertThat(bulkhead.name()).isEqualTo("stock");
        RemoteBulkheadClient client = RemoteBulkheadClient.of(bulkhead);
        RemoteCapability capability = client.takeCapability();
        client.submit(capability, "1", CompletableFuture::new);
        assertRefusal(
                thrownBy(() -> bulkhead.acquire(true, "by hand", 0).orElseThrow(bulkhead.name())),
                "RB_ERR_AT_CAPACITY",
                "stock",
                Duration.ZERO);
        Throwable full = errorOf(client.submit(capability, "2", CompletableFuture::new));
        assertRefusal(
                full,
                "RB_ERR_AT_CAPACITY",
                "stock",
                Duration.ofMillis(((BulkheadException) full).retryAfterMs().orElseThrow()));
        assertRefusal(
                errorOf(client.submit(null, "3", CompletableFuture::new)),
                "RB_ERR_NO_REMOTECAP",
                "stock",
                Duration.ZERO);
        assertThat(RemoteBulkhead.builder(1).build().name()).isEqualTo("remote-bulkhead");
        assertThat(thrownBy(() -> RemoteBulkhead.builder(1).name(" ")))
                .isInstanceOf(BulkheadException.class)
                .hasMessage("RB_ERR_INVALID_CONFIG: name: ' ' (expected: not blank)");
        for (BulkheadError mistake :
                new BulkheadError[] {new BulkheadError.InvalidConfig("x"), new BulkheadError.UnknownPermit(1)}) {
            assertThat(Refusal.in(new BulkheadException(mistake))).isEmpty();
        }
    }

    @Test
    @DisplayName("RF-3 found at any depth of what stages put around it, and nowhere else")
    void in_anyDepth() {
        Throwable error = (Throwable) refusal;
        assertThat(Refusal.in(null)).isEmpty();
        assertThat(Refusal.in(new Exception(error))).isEmpty();
        assertThat(Refusal.in(new CompletionException(new RuntimeException(error))))
                .isEmpty();
        assertThat(Refusal.in(new CompletionException("no cause", null))).isEmpty();
        for (int depth = 0; depth < 100; depth++) {
            assertThat(Refusal.in(error)).containsSame(refusal);
            error = depth % 2 == 0 ? new CompletionException(error) : new ExecutionException(error);
        }
    }

    @Test
    @DisplayName("RF-3 ends on causes that go round in a circle, of any length")
    void in_circle_ends() {
        for (int length = 2; length < 10; length++) {
            CompletionException first = new CompletionException("first") {
                private static final long serialVersionUID = 1L;
            };
            Throwable last = first;
            for (int i = 1; i < length; i++) {
                last = new CompletionException(last);
            }
            first.initCause(last);
            assertThat(Refusal.in(first)).isEmpty();
            assertThat(Refusal.in(new ExecutionException(first))).isEmpty();
        }
    }

    private static void assertRefusal(Throwable error, String code, String source, Duration retryAfter) {
        Refusal found = Refusal.in(error).orElseThrow(() -> new AssertionError(error));
        assertThat(found).isSameAs(error);
        assertThat(found.code()).isEqualTo(code);
        assertThat(found.source()).isEqualTo(source);
        assertThat(found.retryAfter()).isEqualTo(retryAfter);
    }

    private static Throwable errorOf(CompletionStage<?> stage) {
        return stage.toCompletableFuture().handle((value, error) -> error).join();
    }

    private static Throwable thrownBy(Callable<?> call) {
        try {
            call.call();
            throw new AssertionError("nothing thrown");
        } catch (Exception thrown) {
            return thrown;
        }
    }
}

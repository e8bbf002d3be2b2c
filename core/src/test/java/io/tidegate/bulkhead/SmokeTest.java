package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SmokeTest {
    @Test
    void works() {
        AsyncBulkhead b = AsyncBulkhead.of(1);
        CompletableFuture<Integer> op = new CompletableFuture<>();
        CompletableFuture<Integer> f = b.submit(() -> op).toCompletableFuture();
        assertThat(b.inFlight()).isEqualTo(1);
        assertThat(b.submit(() -> op).toCompletableFuture().isCompletedExceptionally())
                .isTrue();
        op.complete(3);
        assertThat(f.join()).isEqualTo(3);
        assertThat(b.inFlight()).isZero();
    }
}

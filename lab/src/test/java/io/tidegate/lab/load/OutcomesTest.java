package io.tidegate.lab.load;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class OutcomesTest {
    private static final long PATIENCE = Duration.ofSeconds(1).toNanos();

    private final Outcomes outcomes = new Outcomes(Duration.ofNanos(PATIENCE), 2);

    @Test
    void record_answer_isInTimeUpToPatienceAndLateAfter() {
        assertThat(outcomes.record(0, PATIENCE, null)).isEqualTo(IN_TIME);
        assertThat(outcomes.record(0, PATIENCE + 1, null)).isEqualTo(LATE);
    }

    @Test
    void record_error_isReportedByItsType() {
        assertThat(outcomes.record(0, 1, new TimeoutException())).isEqualTo(LATE);
        assertThat(outcomes.record(0, 1, refusal())).isEqualTo(REFUSED);
        assertThat(outcomes.record(0, 1, breakerRefusal())).isEqualTo(REFUSED);
        assertThat(outcomes.record(0, 1, remoteRefusal())).isEqualTo(REFUSED);
        assertThat(outcomes.record(0, 1, new RejectedExecutionException())).isEqualTo(REFUSED);
        assertThat(outcomes.record(0, 1, new IOException())).isEqualTo(FAILED);
    }

    @Test
    void record_wrappedError_isReportedByItsCause() {
        assertThat(outcomes.record(0, 1, new CompletionException(new TimeoutException())))
                .isEqualTo(LATE);
        assertThat(outcomes.record(0, 1, new CompletionException(new IOException())))
                .isEqualTo(FAILED);
    }

    @Test
    void count_mixedCalls_countsEachOnce() {
        outcomes.record(0, 1, null);
        outcomes.record(1, 1, null);
        outcomes.record(1, 1, null);
        outcomes.record(1, PATIENCE, new TimeoutException());
        outcomes.record(1, 1, refusal());

        assertThat(outcomes.count(IN_TIME)).isEqualTo(3);
        assertThat(outcomes.count(LATE)).isEqualTo(1);
        assertThat(outcomes.count(REFUSED)).isEqualTo(1);
        assertThat(outcomes.count(FAILED)).isZero();
        assertThat(outcomes.inTimeBySecond()).containsExactly(1, 2);
    }

    @Test
    void percentiles_mixedCalls_keepRefusalsAndFailuresOutOfTheWaits() {
        for (int millis = 1; millis <= 100; millis++) {
            outcomes.record(0, Duration.ofMillis(millis).toNanos(), null);
            outcomes.record(0, Duration.ofNanos(1_000).toNanos(), refusal());
            outcomes.record(0, Duration.ofNanos(1).toNanos(), new IOException());
        }

        assertThat((double) outcomes.waitAt(50).toNanos()).isCloseTo(50e6, within(0.1e6));
        assertThat((double) outcomes.waitAt(99).toNanos()).isCloseTo(99e6, within(0.1e6));
        assertThat(outcomes.refusalAt(99)).isEqualTo(Duration.ofNanos(1_000));
    }

    @Test
    void errors_mixedCalls_keepAnswersOut() {
        outcomes.record(0, 7, null);
        outcomes.record(0, 10, refusal());
        outcomes.record(0, 20, new IOException());
        outcomes.record(0, 30, new TimeoutException());

        assertThat(outcomes.errorAt(50)).isEqualTo(Duration.ofNanos(20));
        assertThat(outcomes.waitedForErrors()).isEqualTo(Duration.ofNanos(60));
    }

    @Test
    void codes_remoteRefusals_areCountedWithTheirTimeToWait() {
        outcomes.record(0, 1, refusal());
        outcomes.record(0, 1, remoteRefusal());
        outcomes.record(0, 1, new CompletionException(remoteRefusal()));

        assertThat(outcomes.codes()).containsExactly("RB_ERR_AT_CAPACITY");
        assertThat(outcomes.refusedWith("RB_ERR_AT_CAPACITY")).isEqualTo(2);
        assertThat(outcomes.refusedWith("RB_ERR_DRAINING")).isZero();
        assertThat(outcomes.withRetryAfter()).isEqualTo(2);
        assertThat(outcomes.retryAfterAt(50)).isEqualTo(Duration.ofMillis(70));
    }

    private static Throwable remoteRefusal() {
        RemoteBulkheadClient full = RemoteBulkheadClient.of(
                RemoteBulkhead.builder(1).p99TargetMs(70).build());
        RemoteCapability capability = full.takeCapability();
        var unused = full.submit(capability, "admitted", CompletableFuture::new);
        return full.submit(capability, "refused", CompletableFuture::new)
                .toCompletableFuture()
                .exceptionNow();
    }

    private static Throwable breakerRefusal() {
        CircuitBreaker open = CircuitBreaker.of("open");
        open.forceOpen();
        return open.executeAsync(CompletableFuture::new).toCompletableFuture().exceptionNow();
    }

    private static Throwable refusal() {
        AsyncBulkhead full = AsyncBulkhead.of(1);
        var unused = full.submit(CompletableFuture::new);
        return full.submit(CompletableFuture::new).toCompletableFuture().exceptionNow();
    }
}

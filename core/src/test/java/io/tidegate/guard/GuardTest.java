package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.bulkhead.TerminalKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What tests of guards share. After each test nothing must be held anywhere. */
abstract class GuardTest {
    @SuppressWarnings("StaticAssignmentOfThrowable") // where it was made is of no interest
    static final Exception FAILED = new Exception("failed");

    final ManualTime time = new ManualTime();
    final List<String> events = new ArrayList<>();
    private final List<AsyncBulkhead> bulkheads = new ArrayList<>();
    private final List<Guard> guards = new ArrayList<>();

    @AfterEach
    void nothingIsHeld() {
        Thread.interrupted();
        for (AsyncBulkhead bulkhead : bulkheads) {
            assertThat(bulkhead.inFlight()).as(bulkhead.name()).isZero();
        }
        for (Guard guard : guards) {
            GuardStats stats = guard.stats();
            assertThat(stats.inFlight()).isZero();
            assertThat(stats.calls())
                    .isEqualTo(stats.successes()
                            + stats.failures()
                            + stats.refusals()
                            + stats.timeouts()
                            + stats.cancelled());
        }
        assertThat(time.waiting()).as("alarms").isZero();
    }

    Guard.Builder builder() {
        return new GuardBuilder("guard", time);
    }

    Guard built(Guard.Builder builder) {
        Guard guard = builder.build();
        guards.add(guard);
        return guard;
    }

    AsyncBulkhead bulkhead(String name, int limit) {
        return bulkhead(name, limit, PermitLifetime.RETURNED_STAGE);
    }

    AsyncBulkhead bulkhead(String name, int limit, PermitLifetime lifetime) {
        AsyncBulkhead made = AsyncBulkhead.builder(limit)
                .name(name)
                .permitLifetime(lifetime)
                .listener(new BulkheadListener() {
                    @Override
                    public void onAdmitted() {
                        events.add("+" + name);
                    }

                    @Override
                    public void onRejected() {
                        events.add("!" + name);
                    }

                    @Override
                    public void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {
                        events.add("-" + name);
                    }
                })
                .build();
        bulkheads.add(made);
        return made;
    }

    /** Opens after three failures in a row. */
    CircuitBreaker breaker() {
        return CircuitBreaker.builder("breaker")
                .readyToTrip(counts -> counts.consecutiveFailures() >= 3)
                .ticker(time::nanos)
                .build();
    }

    static <T> Callable<T> throwing(Throwable error) {
        return () -> {
            throw GuardTest.<Exception>sneaky(error);
        };
    }

    @SuppressWarnings("unchecked")
    static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
        throw (E) error;
    }

    static <T> @Nullable Throwable thrownBy(Callable<T> call) {
        try {
            call.call();
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    static <T> CompletableFuture<T> submit(Guard guard, Supplier<CompletionStage<T>> operation) {
        return guard.submit(operation).toCompletableFuture();
    }

    static @Nullable Throwable errorOf(CompletableFuture<?> future) {
        assertThat(future).isDone();
        Throwable[] error = new Throwable[1];
        future.handle((value, thrown) -> error[0] = thrown);
        return error[0];
    }

    static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    /** A refusal of some other part. */
    static final class OtherRefusal extends RuntimeException implements Refusal {
        private static final long serialVersionUID = 1L;

        @Override
        public String code() {
            return "OTHER";
        }

        @Override
        public String source() {
            return "other";
        }

        @Override
        public Duration retryAfter() {
            return Duration.ofMillis(250);
        }
    }
}

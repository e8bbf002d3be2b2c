package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;

/** What every breaker test starts from, and what no test may break: CB-13. */
abstract class BreakerTest {
    static final Duration TIMEOUT = Duration.ofSeconds(60);
    static final Duration NANO = Duration.ofNanos(1);
    static final Counts NOTHING = new Counts(0, 0, 0, 0, 0);

    /** The error of failing calls. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // where it was made is of no interest
    static final Exception FAILURE = new IllegalStateException("failed");

    final ManualTicker ticker = new ManualTicker();

    /** Each change as "FROM -> TO". */
    final List<String> told = Collections.synchronizedList(new ArrayList<>());

    private final List<CircuitBreaker> made = new ArrayList<>();

    /** A builder of a breaker on the manual ticker, whose changes go into {@link #told}. */
    final CircuitBreaker.Builder builder() {
        return CircuitBreaker.builder("search")
                .ticker(ticker)
                .onStateChange((name, from, to) -> told.add(from + " -> " + to));
    }

    /** As {@link #builder}, for a breaker that the first failure opens. */
    final CircuitBreaker.Builder brittle() {
        return builder().readyToTrip(counts -> true);
    }

    /** As {@link #builder}, for a breaker that no failure opens. */
    final CircuitBreaker.Builder tough() {
        return builder().readyToTrip(counts -> false);
    }

    final CircuitBreaker made(CircuitBreaker.Builder builder) {
        CircuitBreaker breaker = builder.build();
        made.add(breaker);
        return breaker;
    }

    @AfterEach
    final void countsAreConsistent() {
        made.forEach(breaker -> assertConsistent(breaker.counts()));
    }

    static void assertConsistent(Counts counts) {
        assertThat(counts.totalSuccesses() + counts.totalFailures())
                .as("completed in %s", counts)
                .isLessThanOrEqualTo(counts.requests());
        assertThat(counts.consecutiveSuccesses() > 0 && counts.consecutiveFailures() > 0)
                .as("both runs in %s", counts)
                .isFalse();
        assertThat(List.of(
                        counts.totalSuccesses(),
                        counts.totalFailures(),
                        counts.consecutiveSuccesses(),
                        counts.consecutiveFailures()))
                .as("no negative count in %s", counts)
                .allMatch(count -> count >= 0);
    }

    /** Takes a stamp, which must not be refused. */
    static long begin(CircuitBreaker breaker) {
        long stamp = breaker.tryAcquire();
        assertThat(stamp).as("stamp").isPositive();
        return stamp;
    }

    static void succeed(CircuitBreaker breaker) {
        breaker.onSuccess(begin(breaker));
    }

    static void succeed(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            succeed(breaker);
        }
    }

    static void fail(CircuitBreaker breaker) {
        breaker.onFailure(begin(breaker), FAILURE);
    }

    static void fail(CircuitBreaker breaker, int times) {
        for (int i = 0; i < times; i++) {
            fail(breaker);
        }
    }

    /** Opens a brittle breaker. */
    static void open(CircuitBreaker breaker) {
        fail(breaker);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    /** Opens a brittle breaker, lets its default open time go by and returns the first probe. */
    final long halfOpen(CircuitBreaker breaker) {
        open(breaker);
        ticker.advance(TIMEOUT);
        return probe(breaker);
    }

    static long probe(CircuitBreaker breaker) {
        long stamp = begin(breaker);
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        return stamp;
    }

    static void assertRefused(CircuitBreaker breaker) {
        assertThat(breaker.tryAcquire()).as("refusal").isNegative();
    }

    /** Makes a call that must be refused, and returns what was thrown. */
    static CallNotPermittedException refusal(CircuitBreaker breaker) {
        boolean[] ran = new boolean[1];
        Throwable thrown = thrownBy(() -> breaker.execute(() -> ran[0] = true));
        assertThat(thrown).isInstanceOf(CallNotPermittedException.class);
        assertThat(ran[0]).as("a refused call ran").isFalse();
        return (CallNotPermittedException) thrown;
    }

    static Throwable thrownBy(ThrowingCallable code) {
        return org.assertj.core.api.Assertions.catchThrowable(code);
    }

    /** Returns the error of an ended stage as a continuation gets it: not unwrapped. */
    static Throwable errorOf(CompletionStage<?> stage) {
        return stage.handle((value, error) -> error).toCompletableFuture().getNow(null);
    }

    /** Throws a checked exception where the compiler allows none. */
    @SuppressWarnings("unchecked") // E is erased, which is the trick
    static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }
}

package io.tidegate.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BulkheadSceneTest {
    private static final Overload SMALL = new Overload(
            4, Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofMillis(300));

    /** The names of the threads of an HTTP client, an HTTP server and a progress line. */
    private static final Pattern OURS = Pattern.compile("HttpClient-|HTTP-Dispatcher|lab-");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Screen screen = new Screen(new PrintStream(out, true, UTF_8), false);

    private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

    @AfterEach
    void noThreadIsLeft() throws InterruptedException {
        Set<Thread> made = new HashSet<>(Thread.getAllStackTraces().keySet());
        made.removeAll(threadsBefore);
        made.removeIf(thread -> !OURS.matcher(thread.getName()).lookingAt());
        for (Thread thread : made) {
            assertThat(thread.join(Duration.ofSeconds(10))).as(thread.getName()).isTrue();
        }
    }

    @Test
    void play_smallOverload_printsTheTable() throws Exception {
        new BulkheadScene(SMALL).play(screen);

        assertThat(out.toString(UTF_8)).contains("unprotected", "AsyncBulkhead, limit 4", "goodput", "p99", "refused");
    }

    @Test
    void run_unprotected_everyCallHasOneOutcomeAndNoneIsRefused() throws Exception {
        Trial.Result result = new Trial("unprotected", SMALL, Supplier::get).run(screen);

        assertThat(total(result.outcomes())).isEqualTo(SMALL.arrivals().count());
        assertThat(result.outcomes().count(Outcomes.Kind.REFUSED)).isZero();
    }

    @Test
    void run_behindBulkhead_everyCallHasOneOutcomeAndTheServiceNeverHoldsMoreThanTheLimit() throws Exception {
        AsyncBulkhead bulkhead = AsyncBulkhead.builder(SMALL.capacity())
                .permitLifetime(PermitLifetime.OPERATION)
                .build();

        Trial.Result result = new Trial("bulkhead", SMALL, bulkhead::submit).run(screen);

        assertThat(total(result.outcomes())).isEqualTo(SMALL.arrivals().count());
        assertThat(result.peakInside()).isLessThanOrEqualTo(SMALL.capacity());
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(bulkhead.stats().submitted())
                .isEqualTo(SMALL.warmUpArrivals().count() + SMALL.arrivals().count());
    }

    private static long total(Outcomes outcomes) {
        return Arrays.stream(Outcomes.Kind.values()).mapToLong(outcomes::count).sum();
    }
}

package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.retry.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Random guards, compared with a plain reference: the same parts are made twice, once in a guard and once used by hand
 * as the rules say. Time passes in calls and pauses.
 */
class CallModelTest {
    private static final int SEEDS = Integer.getInteger("tidegate.seeds", 1_000);
    private static final long FIRST = Long.getLong("tidegate.seed", 0);
    private static final int CALLS = 40;

    @Test
    @DisplayName("GD-1 GD-2 GD-4 GD-10 TL-2 TL-3 TL-5 RT-1 RT-2 RT-3 random guards do what the parts by hand would")
    void script_random_agreesWithReference() throws Exception {
        int seeds = System.getProperty("tidegate.seed") == null ? SEEDS : 1;
        for (long seed = FIRST; seed < FIRST + seeds; seed++) {
            new Script(seed).run();
        }
    }

    /** What a call does, and how it ends. */
    private record Act(long nanos, @Nullable Throwable error, boolean interrupts) {}

    private static final class Script {
        private final long seed;
        private final Random random;
        private final ManualTime time = new ManualTime();
        private final ManualTime refTime = new ManualTime();
        private final List<Object> parts = new ArrayList<>();
        private final List<Object> refParts = new ArrayList<>();
        private final List<Object> layers = new ArrayList<>(); // layers of the reference
        private final Guard guard;
        private final Thread thread = Thread.currentThread();

        Script(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            Guard.Builder builder = new GuardBuilder("guard", time);
            for (int i = random.nextInt(6); i >= 0; i--) {
                add(builder);
            }
            this.guard = builder.build();
        }

        private void add(Guard.Builder builder) {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    int failures = 1 + random.nextInt(4);
                    CircuitBreaker own = breaker(failures, time);
                    CircuitBreaker reference = breaker(failures, refTime);
                    builder.breaker(own);
                    keep(own, reference);
                }
                case 2 -> {
                    AsyncBulkhead own = bulkhead();
                    AsyncBulkhead reference = bulkhead();
                    if (random.nextInt(8) == 0) { // always full
                        own.submit(CompletableFuture::new);
                        reference.submit(CompletableFuture::new);
                    }
                    builder.bulkhead(own);
                    keep(own, reference);
                }
                case 3 -> {
                    Duration limit = Duration.ofNanos(1 + random.nextInt(60));
                    builder.timeLimit(limit);
                    layers.add(limit);
                }
                default -> {
                    long pause = random.nextInt(20);
                    boolean refusals = random.nextInt(4) == 0;
                    Retry retry = Retry.builder()
                            .maxAttempts(1 + random.nextInt(4))
                            .backoff(Backoff.fixed(Duration.ofNanos(pause)))
                            .retryOn(error -> refusals || Refusal.in(error).isEmpty())
                            .build();
                    builder.retry(retry);
                    layers.add(new Repeat(retry.maxAttempts(), pause, refusals));
                }
            }
        }

        private void keep(Object own, Object reference) {
            parts.add(own);
            refParts.add(reference);
            layers.add(reference);
        }

        private static CircuitBreaker breaker(int failures, ManualTime time) {
            return CircuitBreaker.builder("breaker")
                    .readyToTrip(counts -> counts.consecutiveFailures() >= failures)
                    .timeout(Duration.ofNanos(100))
                    .ticker(time::nanos)
                    .build();
        }

        private static AsyncBulkhead bulkhead() {
            return AsyncBulkhead.of(1);
        }

        private record Repeat(int attempts, long pause, boolean refusals) {}

        void run() throws Exception {
            for (int call = 0; call < CALLS; call++) {
                List<Act> acts = new ArrayList<>(); // made when they are needed
                boolean interrupted = random.nextInt(15) == 0;
                Object expected = expected(acts, interrupted);
                Object got = got(acts, interrupted);
                String story = "seed " + seed + " call " + call + " of " + layers + ": " + acts;
                assertThat(got).as(story).isEqualTo(expected);
                assertThat(time.nanos()).as(story).isEqualTo(refTime.nanos());
                for (int i = 0; i < parts.size(); i++) {
                    assertThat(told(parts.get(i))).as(story).isEqualTo(told(refParts.get(i)));
                }
                assertThat(time.waiting()).as(story).isZero();
                long wait = random.nextInt(60);
                time.advance(Duration.ofNanos(wait));
                refTime.advance(Duration.ofNanos(wait));
            }
            GuardStats stats = guard.stats();
            assertThat(stats.inFlight()).isZero();
            assertThat(stats.successes() + stats.failures() + stats.refusals() + stats.timeouts() + stats.cancelled())
                    .isEqualTo(stats.calls())
                    .isEqualTo(CALLS);
        }

        private static Object told(Object part) {
            return part instanceof CircuitBreaker breaker
                    ? breaker.metrics()
                    : ((AsyncBulkhead) part).stats() + " " + ((AsyncBulkhead) part).inFlight();
        }

        private Act act(List<Act> acts, int i) {
            while (acts.size() <= i) {
                acts.add(new Act(random.nextInt(4) > 0 ? 0 : random.nextInt(60), error(), random.nextInt(20) == 0));
            }
            return acts.get(i);
        }

        private @Nullable Throwable error() {
            return switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> new Exception("failed");
                case 4 -> new GuardTest.OtherRefusal();
                case 5 -> new CompletionException(new GuardTest.OtherRefusal());
                case 6 -> random.nextInt(4) > 0 ? null : new Error("fatal");
                case 7 -> random.nextInt(4) > 0 ? null : new CancellationException();
                default -> null;
            };
        }

        // The guard

        private Object got(List<Act> acts, boolean interrupted) {
            int[] made = {0};
            if (interrupted) {
                thread.interrupt();
            }
            Object end;
            try {
                end = guard.call(() -> {
                    Act act = act(acts, made[0]++);
                    time.advance(Duration.ofNanos(act.nanos));
                    if (act.interrupts && !thread.isInterrupted()) {
                        thread.interrupt();
                    }
                    if (act.error != null) {
                        throw GuardTest.<Exception>sneaky(act.error);
                    }
                    return made[0];
                });
            } catch (Throwable thrown) {
                end = thrown;
            }
            return kind(end, made[0], Thread.interrupted());
        }

        private static Object kind(Object end, int made, boolean interrupted) {
            Object told = end instanceof TimeLimitExceededException limited
                    ? "limit " + limited.limit()
                    : end instanceof Refusal refusal ? refusal.code() : end;
            if (told instanceof InterruptedException) {
                told = "interrupted";
            }
            return told + " after " + made + (interrupted ? ", interrupted" : "");
        }

        // The reference: how what is inside a layer ends

        private record End(@Nullable Object value, @Nullable Throwable error, boolean ran, boolean late) {}

        private final class TimedOut extends TimeoutException {
            private static final long serialVersionUID = 1L;
            final transient Duration limit;

            TimedOut(Duration limit) {
                this.limit = limit;
            }
        }

        private List<Act> refActs = new ArrayList<>();
        private int refMade;
        private boolean ownInterrupt;
        private int limitInterrupts; // limits that have fired and were not left
        private boolean fromLimit;

        /** A limit that the reference is in. */
        private static final class Running {
            final long at;
            boolean fired;

            Running(long at) {
                this.at = at;
            }
        }

        private final List<Running> running = new ArrayList<>();

        private Object expected(List<Act> acts, boolean interrupted) {
            refActs = acts;
            refMade = 0;
            ownInterrupt = interrupted;
            limitInterrupts = 0;
            fromLimit = false;
            End end = inside(0);
            Object told = end.error instanceof TimedOut limited
                    ? "limit " + limited.limit
                    : end.error instanceof Refusal refusal ? refusal.code() : end.error != null ? end.error : end.value;
            if (told instanceof InterruptedException) {
                told = "interrupted";
            }
            return told + " after " + refMade + (ownInterrupt ? ", interrupted" : "");
        }

        private boolean isInterrupted() {
            return ownInterrupt || fromLimit;
        }

        private End inside(int i) {
            if (i == layers.size()) {
                return make();
            }
            Object layer = layers.get(i);
            if (layer instanceof CircuitBreaker breaker) {
                long stamp = breaker.tryAcquire();
                if (stamp < 0) {
                    return new End(
                            null, new Named("CB_ERR_OPEN", breaker.diagnostics().timeUntilHalfOpen()), false, false);
                }
                End end = inside(i + 1);
                judge(breaker, stamp, end);
                return end;
            } else if (layer instanceof AsyncBulkhead bulkhead) {
                CompletableFuture<Object> place = new CompletableFuture<>();
                if (bulkhead.submit(() -> place).toCompletableFuture().isCompletedExceptionally()) {
                    return new End(null, new Named("AB_ERR_FULL", Duration.ZERO), false, false);
                }
                End end = inside(i + 1);
                place.complete(null);
                return end;
            } else if (layer instanceof Duration limit) {
                return within(i, limit);
            } else {
                return repeat(i, (Repeat) layer);
            }
        }

        private void judge(CircuitBreaker breaker, long stamp, End end) {
            boolean inLate = running.stream().anyMatch(limit -> limit.fired);
            if (inLate || end.error instanceof TimedOut) {
                breaker.onFailure(stamp, new TimeoutException());
            } else if (!end.ran || Refusal.in(end.error).isPresent()) {
                breaker.onIgnored(stamp);
            } else if (end.error != null) {
                breaker.onFailure(stamp, end.error);
            } else {
                breaker.onSuccess(stamp);
            }
        }

        private End make() {
            Act act = act(refActs, refMade++);
            refTime.advance(Duration.ofNanos(act.nanos));
            for (Running limit : running) {
                if (!limit.fired && limit.at - refTime.nanos() <= 0) {
                    limit.fired = true;
                    limitInterrupts++;
                    fromLimit |= !ownInterrupt;
                }
            }
            if (act.interrupts && !isInterrupted()) {
                ownInterrupt = true;
            }
            return new End(refMade, act.error, true, false);
        }

        private End within(int i, Duration limit) {
            Running mine = new Running(refTime.nanos() + limit.toNanos());
            running.add(mine);
            End end = inside(i + 1);
            running.remove(mine);
            if (!mine.fired) {
                return end;
            }
            limitInterrupts--;
            fromLimit &= limitInterrupts > 0;
            return end.error instanceof Error ? end : new End(null, new TimedOut(limit), end.ran, true);
        }

        private End repeat(int i, Repeat retry) {
            for (int attempt = 1; ; attempt++) {
                End end = inside(i + 1);
                Throwable error = end.error;
                boolean ordinary = error != null
                        && !(error instanceof Error)
                        && !(error instanceof InterruptedException)
                        && !(error instanceof CancellationException);
                boolean refused = Refusal.in(error).isPresent();
                if (attempt == retry.attempts
                        || !ordinary
                        || (refused && !retry.refusals)
                        || running.stream().anyMatch(limit -> limit.fired)) {
                    return end;
                }
                long pause = Math.max(
                        retry.pause,
                        Refusal.in(error)
                                .map(refusal -> refusal.retryAfter().toNanos())
                                .orElse(0L));
                if (running.stream().anyMatch(limit -> pause >= limit.at - refTime.nanos())) {
                    return end;
                }
                if (pause > 0) {
                    if (isInterrupted()) {
                        ownInterrupt = false;
                        return new End(null, new InterruptedException(), false, false);
                    }
                    refTime.advance(Duration.ofNanos(pause));
                }
            }
        }

        private static final class Named extends RuntimeException implements Refusal {
            private static final long serialVersionUID = 1L;
            private final String code;
            private final Duration retryAfter;

            Named(String code, Duration retryAfter) {
                super(code);
                this.code = code;
                this.retryAfter = retryAfter;
            }

            @Override
            public String code() {
                return code;
            }

            @Override
            public String source() {
                return "reference";
            }

            @Override
            public Duration retryAfter() {
                return retryAfter;
            }
        }
    }
}

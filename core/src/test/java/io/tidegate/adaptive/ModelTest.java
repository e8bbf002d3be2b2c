package io.tidegate.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeded random scripts on a manual ticker. A failure names its seed: {@code -Dtidegate.seed=N} plays that one alone.
 */
class ModelTest {
    private static final int STEPS = 1_000;

    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.seeds", 10));
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName("AL-1 AL-3 AL-4 random scripts: bounds and permits hold, and the same script gives the same limits")
    void script_twice_isTheSame(Algorithm algorithm) {
        seeds().forEach(seed -> {
            List<Integer> limits = new Script(algorithm, seed, null).play();
            assertThat(new Script(algorithm, seed, null).play())
                    .as("seed " + seed)
                    .isEqualTo(limits);
        });
    }

    @Test
    @DisplayName("AL-2 AIMD agrees with a reference written down from its rule")
    void script_aimd_agreesWithReference() {
        seeds().forEach(seed -> new Script(Algorithm.AIMD, seed, Fault.NONE).play());
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @DisplayName("AL-2 the scripts tell AIMD from a limit with each of these faults")
    void script_faultyReference_disagrees(Fault fault) {
        assertThatThrownBy(() ->
                        LongStream.range(0, 100).forEach(seed -> new Script(Algorithm.AIMD, seed, fault).play()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed ");
    }

    /** The faults that a limit may have. */
    enum Fault {
        NONE,
        GROWS_UNUSED,
        CUTS_FOR_EVERY_CALL,
        COUNTS_CANCELLED,
        PASSES_MAX,
        PASSES_MIN,
        FORGETS_CEILING
    }

    /** AIMD in plain numbers. */
    private static final class Reference {
        final Fault fault;
        final int min;
        final int max;
        int limit;
        int ceiling;
        int successes;
        long lastCut = Long.MIN_VALUE;

        Reference(Fault fault, int min, int limit, int max) {
            this.fault = fault;
            this.min = min;
            this.limit = limit;
            this.max = max;
            this.ceiling = max;
        }

        void end(long began, long now, int inFlight, End end) {
            if (end == End.FAILED || (end == End.CANCELLED && fault != Fault.COUNTS_CANCELLED)) {
                return;
            }
            if (began < lastCut && fault != Fault.CUTS_FOR_EVERY_CALL) {
                return;
            }
            if (end == End.OVERLOAD) {
                int lower = Math.max(fault == Fault.PASSES_MIN ? 0 : min, (int) (limit * 0.7));
                if (lower < limit) {
                    ceiling = Math.max(lower, limit - 1);
                    limit = lower;
                    successes = 0;
                    lastCut = now;
                }
            } else if ((inFlight * 2 >= limit || fault == Fault.GROWS_UNUSED)
                    && (limit < max || fault == Fault.PASSES_MAX)) {
                boolean held = limit >= ceiling && fault != Fault.FORGETS_CEILING;
                if (++successes == limit * (held ? 30 : 1)) {
                    limit++;
                    successes = 0;
                    ceiling = held ? max : ceiling;
                }
            }
        }
    }

    private enum End {
        SUCCESS,
        OVERLOAD,
        FAILED,
        CANCELLED
    }

    private record Call(long began, CompletableFuture<String> operation, CompletableFuture<String> returned) {}

    private static final class Script {
        private final long seed;
        private final Random random;
        private final AsyncBulkhead bulkhead;
        private final Reference reference;
        private final int min;
        private final int max;
        private final List<Call> calls = new ArrayList<>();
        private final List<Integer> limits = new ArrayList<>();
        private final List<Integer> told = new ArrayList<>();
        private final double overloads;
        private long now;

        Script(Algorithm algorithm, long seed, Fault fault) {
            this.seed = seed;
            this.random = new Random(seed);
            this.min = 1 + random.nextInt(3);
            this.max = min + random.nextInt(12);
            int initial = min + random.nextInt(max - min + 1);
            this.overloads = random.nextInt(3) * 0.02;
            this.reference = fault == null ? null : new Reference(fault, min, initial, max);
            this.bulkhead = algorithm
                    .builder()
                    .min(min)
                    .initial(initial)
                    .max(max)
                    .permitLifetime(random.nextBoolean() ? PermitLifetime.OPERATION : PermitLifetime.RETURNED_STAGE)
                    .ticker(() -> now)
                    .onLimitChange(told::add)
                    .build();
        }

        List<Integer> play() {
            for (int i = 0; i < STEPS; i++) {
                now += 1 + random.nextInt(100);
                int before = bulkhead.maxInFlight();
                if (calls.isEmpty() || random.nextInt(100) < 55) {
                    submit();
                } else {
                    end(calls.remove(random.nextInt(calls.size())));
                }
                check(before);
            }
            return limits;
        }

        private void submit() {
            CompletableFuture<String> operation = new CompletableFuture<>();
            boolean admitted = calls.size() < bulkhead.maxInFlight();
            CompletableFuture<String> returned =
                    bulkhead.submit(() -> operation).toCompletableFuture();
            assertThat(returned.isDone()).as("refused, seed " + seed).isEqualTo(!admitted);
            if (admitted) {
                calls.add(new Call(now, operation, returned));
            }
        }

        private void end(Call call) {
            double dice = random.nextDouble();
            End end = dice < overloads
                    ? End.OVERLOAD
                    : dice < 0.1 ? End.FAILED : dice < 0.2 ? End.CANCELLED : End.SUCCESS;
            if (reference != null) {
                reference.end(call.began, now, calls.size() + 1, end);
            }
            switch (end) {
                case SUCCESS -> call.operation.complete("done");
                case OVERLOAD -> call.operation.completeExceptionally(new TimeoutException());
                case FAILED -> call.operation.completeExceptionally(new IllegalStateException());
                case CANCELLED -> call.operation.completeExceptionally(new CancellationException());
            }
        }

        private void check(int before) {
            int limit = bulkhead.maxInFlight();
            limits.add(limit);
            assertThat(limit).as("limit, seed " + seed).isBetween(min, max);
            assertThat(bulkhead.inFlight()).as("in flight, seed " + seed).isEqualTo(calls.size());
            assertThat(bulkhead.available()).as("available, seed " + seed).isEqualTo(Math.max(0, limit - calls.size()));
            assertThat(told).as("told, seed " + seed).isEqualTo(limit == before ? List.of() : List.of(limit));
            told.clear();
            if (reference != null) {
                assertThat(limit).as("limit, seed " + seed).isEqualTo(reference.limit);
            }
        }
    }
}

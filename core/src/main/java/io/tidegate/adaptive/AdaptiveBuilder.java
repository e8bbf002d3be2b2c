package io.tidegate.adaptive;

import static java.util.Objects.requireNonNull;

import io.tidegate.HolderWatch;
import io.tidegate.Overload;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.gate.MovingLimit;
import io.tidegate.gate.Names;
import io.tidegate.gate.Refusals;
import io.tidegate.measure.FlightEvents;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

final class AdaptiveBuilder implements AdaptiveLimit.Builder {
    static {
        // The first use comes here, and not near the end of a caller's stack: a class whose initialization fails once
        // never works.
        FlightEvents.withoutRecording(AdaptiveBuilder::warmUp);
    }

    private static void warmUp() {
        for (Algorithm algorithm : new Algorithm[] {Gradient::new, Aimd::new}) {
            for (PermitLifetime lifetime : PermitLifetime.values()) {
                AsyncBulkhead once = new AdaptiveBuilder(algorithm)
                        .initial(1)
                        .permitLifetime(lifetime)
                        .build();
                CompletableFuture<Object> operation = new CompletableFuture<>();
                CompletionStage<Object> returned = once.submit(() -> operation);
                once.submit(() -> operation);
                operation.completeExceptionally(new TimeoutException());
                once.submit(() -> null);
                once.submit(() -> CompletableFuture.completedFuture(null));
                returned.toCompletableFuture().cancel(false);
            }
        }
    }

    /** Makes the first period. */
    interface Algorithm {
        LimitPeriod start(LimitPeriod.Range range, int limit, long now);
    }

    private final Algorithm algorithm;
    private @Nullable Integer initial;
    private int min = AdaptiveLimit.DEFAULT_MIN;
    private int max = AdaptiveLimit.DEFAULT_MAX;
    private @Nullable HolderWatch watch;
    String name = AdaptiveLimit.DEFAULT_NAME;
    private @Nullable BulkheadListener listener;
    private PermitLifetime lifetime = PermitLifetime.RETURNED_STAGE;
    Predicate<? super Throwable> isOverload =
            error -> error instanceof TimeoutException || error instanceof Overload || Refusals.find(error) != null;

    @Nullable
    IntConsumer onLimitChange;

    LongSupplier ticker = System::nanoTime;

    AdaptiveBuilder(Algorithm algorithm) {
        this.algorithm = algorithm;
    }

    @Override
    public AdaptiveLimit.Builder initial(int limit) {
        this.initial = positive("initial", limit);
        return this;
    }

    @Override
    public AdaptiveLimit.Builder min(int limit) {
        this.min = positive("min", limit);
        return this;
    }

    @Override
    public AdaptiveLimit.Builder max(int limit) {
        this.max = positive("max", limit);
        return this;
    }

    private static int positive(String name, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException(name + ": " + limit + " (expected: >= 1)");
        }
        return limit;
    }

    @Override
    public AdaptiveLimit.Builder name(String name) {
        this.name = Names.require(name);
        return this;
    }

    @Override
    public AdaptiveLimit.Builder isOverload(Predicate<? super Throwable> rule) {
        this.isOverload = requireNonNull(rule, "rule");
        return this;
    }

    @Override
    public AdaptiveLimit.Builder onLimitChange(IntConsumer listener) {
        this.onLimitChange = requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public AdaptiveLimit.Builder listener(BulkheadListener listener) {
        this.listener = requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public AdaptiveLimit.Builder permitLifetime(PermitLifetime lifetime) {
        this.lifetime = requireNonNull(lifetime, "lifetime");
        return this;
    }

    @Override
    public AdaptiveLimit.Builder watch(HolderWatch watch) {
        this.watch = requireNonNull(watch, "watch");
        return this;
    }

    @Override
    public AdaptiveLimit.Builder ticker(LongSupplier nanos) {
        this.ticker = requireNonNull(nanos, "nanos");
        return this;
    }

    /** Returns the first period. */
    LimitPeriod start(long now) {
        return algorithm.start(new LimitPeriod.Range(min, max), initial(), now);
    }

    private int initial() {
        return initial != null ? initial : Math.max(min, Math.min(max, AdaptiveLimit.DEFAULT_INITIAL));
    }

    @Override
    public AsyncBulkhead build() {
        if (min > max || min > initial() || initial() > max) {
            throw new IllegalArgumentException(
                    "min, initial, max: " + min + ", " + initial() + ", " + max + " (expected: min <= initial <= max)");
        }
        AsyncBulkhead.Builder bulkhead = AsyncBulkhead.builder(max).name(name).permitLifetime(lifetime);
        if (listener != null) {
            bulkhead.listener(listener);
        }
        if (watch != null) {
            bulkhead.watch(watch);
        }
        ((MovingLimit.Follower) bulkhead).follow(new LimitController(this));
        return bulkhead.build();
    }
}

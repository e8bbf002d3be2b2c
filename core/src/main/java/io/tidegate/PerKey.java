package io.tidegate;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * One instance for each key: a limiter for each customer, say, or a guard for each host.
 *
 * <pre>{@code
 * PerKey<String, RateLimiter> limiters =
 *         PerKey.builder((String customer) -> RateLimiter.of(100, Duration.ofSeconds(1))).build();
 * boolean admitted = limiters.get(customer).tryAcquire();
 * }</pre>
 *
 * <p>An {@link Idle} instance that was not used for a while is dropped, so keys may be untrusted input: memory is
 * bounded by {@link Builder#maxKeys}. An instance that does not implement {@code Idle} is never dropped.
 *
 * <p><b>Call {@link #get} for each use</b>: an instance that was kept for longer than {@link Builder#idleAfter} may
 * already have a successor.
 *
 * <p>Thread-safe. No thread is started: each {@link #get} checks a few other keys and drops those that are idle.
 * Actions before {@code make} returns <i>happen-before</i> any {@code get} that returns the instance.
 *
 * @param <K> the keys, with {@code equals} and {@code hashCode}
 * @param <V> what is made for each
 */
public interface PerKey<K, V> {
    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "keys";

    /** How many keys there may be unless set: {@value}. */
    int DEFAULT_MAX_KEYS = 10_000;

    /** After how many minutes without use an idle instance may be dropped unless set: {@value}. */
    int DEFAULT_IDLE_AFTER_MINUTES = 10;

    /**
     * Returns a builder of a {@code PerKey}.
     *
     * @param make makes the instance of a key; runs once for it, on the thread that asked first, and may get other keys
     */
    static <K, V> Builder<K, V> builder(Function<? super K, ? extends V> make) {
        return new KeyedInstances.Settings<>(make);
    }

    /**
     * Returns the instance of a key, and makes it if there is none. All threads that ask for a key at one time get the
     * same instance; while it is made, they wait, uninterruptibly. What {@code make} throws reaches the caller, and
     * nothing is kept: the next {@code get} tries again.
     *
     * @throws TooManyKeysException if the key is new, {@code maxKeys} is reached and no instance can be dropped
     * @throws IllegalStateException if {@code make} asks for the key that it is making, directly or indirectly
     * @throws NullPointerException if {@code key} is {@code null}, or {@code make} returned {@code null}
     */
    V get(K key);

    /** Returns how many keys there are, including those whose instance is being made. */
    int size();

    /**
     * Runs {@code action} for every instance; those added or dropped meanwhile may be included. Does not count as a
     * use.
     */
    void forEach(BiConsumer<? super K, ? super V> action);

    /** Settings of a new {@code PerKey}. Each is checked when it is given. Not thread-safe. */
    interface Builder<K, V> {
        /**
         * Names the {@code PerKey} in refusals. Default: {@value PerKey#DEFAULT_NAME}.
         *
         * @throws IllegalArgumentException if {@code name} is blank
         */
        Builder<K, V> name(String name);

        /**
         * How many keys there may be. Default: {@value PerKey#DEFAULT_MAX_KEYS}.
         *
         * @throws IllegalArgumentException if less than 1
         */
        Builder<K, V> maxKeys(int keys);

        /**
         * How long an idle instance must be unused before it may be dropped. Default: {@value
         * PerKey#DEFAULT_IDLE_AFTER_MINUTES} minutes.
         *
         * @throws IllegalArgumentException if zero or negative
         */
        Builder<K, V> idleAfter(Duration time);

        /** The time in nanoseconds. Default: {@link System#nanoTime}. */
        Builder<K, V> ticker(LongSupplier nanos);

        /** Returns a new {@code PerKey} with the settings so far. */
        PerKey<K, V> build();
    }
}

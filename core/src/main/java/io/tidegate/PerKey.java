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
 * <p>What was not asked for in a while and is {@link Idle} goes again, so that keys may come from outside: memory is
 * bounded by {@link Builder#maxKeys}. An instance that is no {@code Idle} stays for ever.
 *
 * <p><b>Ask for each use</b>: an instance that is kept for longer than {@link Builder#idleAfter} and then used may have
 * a successor already.
 *
 * <p>Thread-safe. No thread is started: each {@link #get} looks at a few others and evicts those that can go. Actions
 * before {@code make} returns <i>happen-before</i> any {@code get} that returns the instance.
 *
 * @param <K> the keys, with {@code equals} and {@code hashCode}
 * @param <V> what is made for each
 */
public interface PerKey<K, V> {
    /** The name of keys that were given none: {@value}. */
    String DEFAULT_NAME = "keys";

    /** How many keys there may be, if not told otherwise: {@value}. */
    int DEFAULT_MAX_KEYS = 10_000;

    /** After how many minutes without use an idle instance may go, if not told otherwise: {@value}. */
    int DEFAULT_IDLE_AFTER_MINUTES = 10;

    /**
     * Returns a builder of keys.
     *
     * @param make makes the instance of a key; it runs once for it, on the thread that first asked, and may ask for
     *     other keys
     */
    static <K, V> Builder<K, V> builder(Function<? super K, ? extends V> make) {
        return new KeyedInstances.Settings<>(make);
    }

    /**
     * Returns the instance of a key, and makes it if there is none. All who ask for a key at one time get the same
     * one; while it is made, others who ask for it wait, whatever their interrupt flag says. What {@code make} throws
     * reaches the caller, and leaves nothing behind: the next who asks tries again.
     *
     * @throws TooManyKeysException if the key is new, there are as many as may be, and none can go
     * @throws IllegalStateException if {@code make} asks for the key that it is making, directly or through others
     * @throws NullPointerException if {@code key} is {@code null}, or {@code make} returned that
     */
    V get(K key);

    /** Returns how many keys there are, those included that are being made. */
    int size();

    /** Tells of every instance there is; of those that come or go meanwhile, perhaps. Is no use of them. */
    void forEach(BiConsumer<? super K, ? super V> action);

    /** Settings of new keys. Each is checked when it is given. Not thread-safe. */
    interface Builder<K, V> {
        /**
         * Names the keys in refusals. Default: {@value PerKey#DEFAULT_NAME}.
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
         * For how long nobody has asked for an idle instance that may go. Default: {@value
         * PerKey#DEFAULT_IDLE_AFTER_MINUTES} minutes.
         *
         * @throws IllegalArgumentException if zero or negative
         */
        Builder<K, V> idleAfter(Duration time);

        /** Tells the time in nanoseconds, as {@link System#nanoTime} does, which is the default. */
        Builder<K, V> ticker(LongSupplier nanos);

        /** Returns new keys with the settings so far. */
        PerKey<K, V> build();
    }
}

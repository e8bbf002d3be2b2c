package io.tidegate;

import static java.util.Objects.requireNonNull;

import io.tidegate.gate.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps the instances of keys, and drops those that are no longer used. */
final class KeyedInstances<K, V> implements PerKey<K, V> {
    /*
     * An entry is in the map before its instance is made. So `make` runs with nothing held, and other threads that ask
     * for the key find a thread to wait for. `taken` counts the entries that may exist, and rises before an entry
     * exists.
     *
     * `lastUse` decides between a use and an eviction: a use moves it on by a compare-and-set, an eviction moves it to
     * GONE from the old use that was found too old. A thread that gets an instance has moved `lastUse` first, or has
     * found one that is not older than its own. So an instance is dropped only if no thread has asked for it since, and
     * a thread that comes too late makes another instance.
     *
     * Entries that may be dropped are in `ring`. Each `get` looks at the next few of them, one thread at a time. A
     * whole round finds the oldest use. Before `quietUntil`, which is that use plus the idle time, no entry can be
     * dropped, and no thread looks. If there is no room left, a `get` of a new key looks at all entries, unless it is
     * too early. The lock of the list guards the list only: instances are asked with nothing held whether they are
     * idle.
     */
    private static final int LOOKS = 2;
    private static final long GONE = Long.MIN_VALUE;

    private final Settings<K, V> settings;
    private final Map<K, Entry<K, V>> entries = new ConcurrentHashMap<>();
    private final Map<Thread, Making> waits = new ConcurrentHashMap<>();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile long quietUntil;

    // Guarded by the ring.
    private final List<Entry<K, V>> ring = new ArrayList<>();
    private long removals;

    // The present round: only for the thread that has set `looking`.
    private int hand;
    private long oldestUse;
    private long removalsBefore;

    private KeyedInstances(Settings<K, V> settings) {
        this.settings = settings;
        this.quietUntil = now();
        this.oldestUse = quietUntil;
    }

    private static final class Entry<K, V> {
        @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
        private static final AtomicLongFieldUpdater<Entry> LAST_USE =
                AtomicLongFieldUpdater.newUpdater(Entry.class, "lastUse");

        final K key;
        volatile @Nullable Making making; // null once `make` has ended
        volatile long lastUse;
        volatile @Nullable V value;
        int place; // in the ring, guarded by it

        Entry(K key, Making making) {
            this.key = key;
            this.making = making;
        }

        /** Records a use. Returns false if the instance is gone. */
        boolean use(long now) {
            for (; ; ) {
                long seen = lastUse;
                if (seen == GONE) {
                    return false;
                }
                if (now - seen <= 0 || LAST_USE.compareAndSet(this, seen, now)) {
                    return true;
                }
            }
        }

        boolean evict(long seenUse) {
            return LAST_USE.compareAndSet(this, seenUse, GONE);
        }
    }

    /** Shows which thread makes an instance, for threads that wait for it. */
    private static final class Making {
        final Thread maker = Thread.currentThread();
        final CountDownLatch over = new CountDownLatch(1);

        boolean isUnderWay() {
            return over.getCount() > 0;
        }
    }

    @Override
    public V get(K key) {
        requireNonNull(key, "key");
        for (; ; ) {
            Entry<K, V> entry = entries.get(key);
            long now = now();
            V value = entry == null ? made(key, now) : entry.value;
            if (value == null) {
                if (entry != null) {
                    await(entry);
                }
            } else if (entry == null || entry.use(now)) {
                lookAtSome(now);
                return value;
            } else {
                entries.remove(key, entry); // its instance was dropped
            }
        }
    }

    /* Returns the new instance; null if another thread makes it. */
    private @Nullable V made(K key, long now) {
        if (!tryTakePlace(now)) {
            if (entries.containsKey(key)) {
                return null;
            }
            throw new TooManyKeysException(settings.name, settings.maxKeys);
        }
        Making making = new Making();
        Entry<K, V> entry = new Entry<>(key, making);
        if (entries.putIfAbsent(key, entry) != null) {
            taken.decrementAndGet();
            return null;
        }
        try {
            V value = requireNonNull(settings.make.apply(key), "make: returned null (expected: an instance)");
            entry.lastUse = now();
            entry.value = value;
            if (value instanceof Idle) {
                register(entry);
            }
            return value;
        } catch (Throwable thrown) {
            entries.remove(key, entry);
            taken.decrementAndGet();
            throw thrown;
        } finally {
            entry.making = null;
            making.over.countDown();
        }
    }

    /*
     * A thread first notes which thread it waits for, and then checks whether that thread waits for this one, directly
     * or through others. So of several threads that wait for each other, at least one sees that.
     */
    private void await(Entry<K, V> entry) {
        Making awaited = entry.making;
        if (awaited == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        waits.put(thread, awaited);
        try {
            for (Making making = awaited; making != null && making.isUnderWay(); making = waits.get(making.maker)) {
                if (making.maker.equals(thread)) {
                    throw new IllegalStateException(
                            "key: " + entry.key + " (expected: one whose instance does not need itself to be made)");
                }
            }
            awaitUninterruptibly(awaited.over);
        } finally {
            waits.remove(thread);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        for (; ; ) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // Eviction

    private boolean tryTakePlace(long now) {
        for (; ; ) {
            int before = taken.get();
            if (before < settings.maxKeys) {
                if (taken.compareAndSet(before, before + 1)) {
                    return true;
                }
            } else if (!tryEvictAny(now) && taken.get() >= settings.maxKeys) {
                return false;
            }
        }
    }

    private void register(Entry<K, V> entry) {
        synchronized (ring) {
            entry.place = ring.size();
            ring.add(entry);
            long end = entry.lastUse + settings.idleAfterNanos;
            if (end - quietUntil < 0) { // the clock went back
                quietUntil = end;
            }
        }
    }

    private @Nullable Entry<K, V> at(int place) {
        synchronized (ring) {
            return place < ring.size() ? ring.get(place) : null;
        }
    }

    /* Removes an entry from the ring; the last entry takes its place. */
    private void remove(Entry<K, V> entry) {
        synchronized (ring) {
            Entry<K, V> last = ring.remove(ring.size() - 1);
            if (!last.equals(entry)) {
                ring.set(entry.place, last);
                last.place = entry.place;
            }
            removals++;
        }
    }

    private long removals() {
        synchronized (ring) {
            return removals;
        }
    }

    /*
     * Ends a round. The round has looked at every use only if no entry was removed meanwhile, because a removal moves
     * another entry.
     */
    private void endRound(long oldest, long removedBefore) {
        synchronized (ring) {
            if (removals == removedBefore) {
                quietUntil = oldest + settings.idleAfterNanos;
            }
        }
    }

    private boolean isQuiet(long now) {
        return now - quietUntil < 0;
    }

    private boolean tryEvictAny(long now) {
        if (isQuiet(now)) {
            return false;
        }
        long before = removals();
        long oldest = now;
        int place = 0;
        for (Entry<K, V> entry = at(place); entry != null; entry = at(++place)) {
            if (tryEvict(entry, now)) {
                return true;
            }
            oldest = older(oldest, entry.lastUse);
        }
        endRound(oldest, before);
        return false;
    }

    private void lookAtSome(long now) {
        if (isQuiet(now) || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            for (int i = 0; i < LOOKS; i++) {
                lookAtNext(now);
            }
        } finally {
            looking.set(false);
        }
    }

    private void lookAtNext(long now) {
        Entry<K, V> entry = at(hand);
        if (entry == null) {
            endRound(oldestUse, removalsBefore);
            hand = 0;
            oldestUse = now;
            removalsBefore = removals();
        } else if (tryEvict(entry, now)) {
            removalsBefore++; // another entry is at its place now, and the next look is at that one
        } else {
            oldestUse = older(oldestUse, entry.lastUse);
            hand++;
        }
    }

    private static long older(long one, long other) {
        return other != GONE && other - one < 0 ? other : one;
    }

    private boolean tryEvict(Entry<K, V> entry, long now) {
        long use = entry.lastUse;
        if (use == GONE || now - use < settings.idleAfterNanos || !isIdle(entry.value) || !entry.evict(use)) {
            return false;
        }
        entries.remove(entry.key, entry);
        remove(entry);
        taken.decrementAndGet();
        return true;
    }

    private static boolean isIdle(@Nullable Object value) {
        try {
            return value instanceof Idle idle && idle.isIdle();
        } catch (Throwable thrown) {
            return false;
        }
    }

    private long now() {
        long now = settings.ticker.getAsLong();
        return now == GONE ? now + 1 : now;
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        requireNonNull(action, "action");
        entries.forEach((key, entry) -> {
            V value = entry.value;
            if (value != null) {
                action.accept(key, value);
            }
        });
    }

    @Override
    public String toString() {
        return "PerKey(" + settings.name + ", " + size() + " of " + settings.maxKeys + ")";
    }

    static final class Settings<K, V> implements Builder<K, V> {
        final Function<? super K, ? extends V> make;
        String name = DEFAULT_NAME;
        int maxKeys = DEFAULT_MAX_KEYS;
        long idleAfterNanos = Duration.ofMinutes(DEFAULT_IDLE_AFTER_MINUTES).toNanos();
        LongSupplier ticker = System::nanoTime;

        Settings(Function<? super K, ? extends V> make) {
            this.make = requireNonNull(make, "make");
        }

        private Settings(Settings<K, V> other) {
            this.make = other.make;
            this.name = other.name;
            this.maxKeys = other.maxKeys;
            this.idleAfterNanos = other.idleAfterNanos;
            this.ticker = other.ticker;
        }

        @Override
        public Builder<K, V> name(String name) {
            this.name = Names.require(name);
            return this;
        }

        @Override
        public Builder<K, V> maxKeys(int keys) {
            if (keys < 1) {
                throw new IllegalArgumentException("maxKeys: " + keys + " (expected: >= 1)");
            }
            this.maxKeys = keys;
            return this;
        }

        @Override
        public Builder<K, V> idleAfter(Duration time) {
            if (requireNonNull(time, "time").isNegative() || time.isZero()) {
                throw new IllegalArgumentException("idleAfter: " + time + " (expected: longer than zero)");
            }
            this.idleAfterNanos = nanos(time);
            return this;
        }

        /* Returns the nanoseconds; more than a century counts as a century. */
        private static long nanos(Duration time) {
            Duration longest = Duration.ofDays(36_525);
            return (time.compareTo(longest) < 0 ? time : longest).toNanos();
        }

        @Override
        public Builder<K, V> ticker(LongSupplier nanos) {
            this.ticker = requireNonNull(nanos, "nanos");
            return this;
        }

        @Override
        public PerKey<K, V> build() {
            return new KeyedInstances<>(new Settings<>(this));
        }
    }
}

package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.memory.Weight;
import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600) // only so that a hanging test ends
class PerKeyTest {
    private static final Duration IDLE_AFTER = Duration.ofMinutes(10);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger made = new AtomicInteger();

    /** An instance that is idle or not, as the test says. */
    private static final class Part implements Idle {
        volatile boolean idle = true;

        @Override
        public boolean isIdle() {
            return idle;
        }
    }

    private PerKey.Builder<Object, Part> builder() {
        return PerKey.builder((Object key) -> {
                    made.incrementAndGet();
                    return new Part();
                })
                .ticker(now::get);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    /** Enough uses of one key for a look at each of the others. */
    private static void useOften(PerKey<Object, Part> keys, Object key) {
        for (int i = 0; i < 1_000; i++) {
            keys.get(key);
        }
    }

    @Test
    @DisplayName("KY-1 one instance for each key, made once; defaults are named")
    void get_sameKey_sameInstance() {
        PerKey<Object, Part> keys = builder().build();
        Part part = keys.get("a");

        assertThat(keys.get("a")).isSameAs(part);
        assertThat(keys.get("b")).isNotSameAs(part);
        assertThat(made).hasValue(2);
        assertThat(keys.size()).isEqualTo(2);
        Map<Object, Part> seen = new HashMap<>();
        keys.forEach(seen::put);
        assertThat(seen).containsOnlyKeys("a", "b").containsEntry("a", part);
        assertThat(keys).hasToString("PerKey(keys, 2 of 10000)");
        assertThat(PerKey.DEFAULT_IDLE_AFTER_MINUTES).isEqualTo(10);
    }

    @Test
    @DisplayName("KY-1 a make that throws or returns null leaves nothing, and the next tries again")
    void make_throws_leavesNothing() {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>(new IllegalStateException("no"));
        PerKey<String, Part> keys = PerKey.builder((String key) -> {
                    if (thrown.get() != null) {
                        throw thrown.get();
                    }
                    return key.isEmpty() ? null : new Part();
                })
                .maxKeys(1)
                .build();

        assertThatThrownBy(() -> keys.get("a")).isSameAs(thrown.get());
        assertThat(keys.size()).isZero();
        thrown.set(null);
        assertThatNullPointerException().isThrownBy(() -> keys.get(""));
        assertThat(keys.get("a")).isNotNull();
        assertThatNullPointerException().isThrownBy(() -> keys.get(null));
        assertThatNullPointerException().isThrownBy(() -> keys.forEach(null));
    }

    @Test
    @DisplayName(
            "KY-1 a make that asks for its own key gets an IllegalStateException; one that asks for others does not")
    void make_asksForItself_illegalState() {
        AtomicReference<PerKey<Integer, Part>> keys = new AtomicReference<>();
        keys.set(PerKey.builder((Integer key) -> {
                    if (key > 0) {
                        keys.get().get(key - 1);
                    } else if (key < 0) {
                        keys.get().get(key);
                    }
                    return new Part();
                })
                .build());

        assertThat(keys.get().get(100)).isNotNull();
        assertThat(keys.get().size()).isEqualTo(101);
        assertThatIllegalStateException()
                .isThrownBy(() -> keys.get().get(-1))
                .withMessageStartingWith("key: -1 (expected: ");
        assertThat(keys.get().size()).isEqualTo(101);
    }

    @Test
    @DisplayName("KY-1 two makes that ask for each other's key on two threads end, one at least with an exception")
    void make_askForEachOther_end() throws InterruptedException {
        AtomicReference<PerKey<Integer, Part>> keys = new AtomicReference<>();
        CountDownLatch both = new CountDownLatch(2);
        AtomicInteger failed = new AtomicInteger();
        keys.set(PerKey.builder((Integer key) -> {
                    both.countDown();
                    await(both);
                    keys.get().get(1 - key);
                    return new Part();
                })
                .build());
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int key = i;
            threads[i] = new Thread(() -> {
                try {
                    keys.get().get(key);
                } catch (IllegalStateException e) {
                    failed.incrementAndGet();
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failed.get()).isPositive();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("KY-1 while one key is made, all others are available, and threads that ask for it share its instance")
    void make_slow_othersGoOn() throws InterruptedException {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        PerKey<Integer, Part> keys = PerKey.builder((Integer key) -> {
                    if (key == -1) {
                        making.countDown();
                        await(goOn);
                        made.incrementAndGet();
                    }
                    return new Part();
                })
                .build();
        List<Part> got = new ArrayList<>();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                Part part = keys.get(-1);
                synchronized (got) {
                    got.add(part);
                }
                interrupted.compareAndSet(false, Thread.currentThread().isInterrupted());
            });
        }
        threads[0].start();
        making.await();
        threads[1].start();
        threads[2].start();
        threads[2].interrupt();
        for (int key = 0; key < 5_000; key++) {
            assertThat(keys.get(key)).isNotNull();
        }
        goOn.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(got).hasSize(3).allMatch(part -> part == keys.get(-1));
        assertThat(made).hasValue(1);
        assertThat(interrupted).isTrue();
    }

    @Test
    @DisplayName("KY-2 an entry goes only when idle and unused for idleAfter; each use of another looks at it")
    void get_evictsOthers() {
        PerKey<Object, Part> keys = builder().build();
        Part a = keys.get("a");
        Part busy = keys.get("busy");
        busy.idle = false;
        pass(IDLE_AFTER.minusNanos(1));
        useOften(keys, "used");
        assertThat(keys.size()).isEqualTo(3);
        pass(Duration.ofNanos(1));
        useOften(keys, "used");
        assertThat(keys.size()).isEqualTo(2);
        assertThat(keys.get("busy")).isSameAs(busy);
        assertThat(keys.get("a")).isNotSameAs(a);
        busy.idle = true;
        useOften(keys, "used");
        assertThat(keys.get("busy")).isSameAs(busy);
        pass(IDLE_AFTER);
        useOften(keys, "used");
        assertThat(keys.size()).isEqualTo(1);
    }

    @Test
    @DisplayName("KY-2 what becomes idle later goes without time having to pass")
    void busyBecomesIdle_goes() {
        PerKey<Object, Part> keys = builder().build();
        Part busy = keys.get("busy");
        busy.idle = false;
        pass(IDLE_AFTER);
        useOften(keys, "used");
        assertThat(keys.size()).isEqualTo(2);
        busy.idle = true;
        useOften(keys, "used");
        assertThat(keys.size()).isEqualTo(1);
    }

    @Test
    @DisplayName("KY-2 an instance that is no Idle, or throws when asked, never goes")
    void noIdle_neverGoes() {
        PerKey<String, Object> keys = PerKey.builder((String key) -> key.equals("throws")
                        ? (Idle) () -> {
                            throw new IllegalStateException("asked");
                        }
                        : new Object())
                .ticker(now::get)
                .maxKeys(3)
                .build();
        Object a = keys.get("a");
        keys.get("throws");
        pass(Duration.ofDays(365));
        for (int i = 0; i < 100; i++) {
            keys.get("b");
        }

        assertThat(keys.size()).isEqualTo(3);
        assertThat(keys.get("a")).isSameAs(a);
        assertThatThrownBy(() -> keys.get("c")).isInstanceOf(TooManyKeysException.class);
    }

    @Test
    @DisplayName("KY-2 guards' parts say when they are idle: a limiter when full, a bulkhead when empty")
    void parts_areIdle() {
        PerKey<String, RateLimiter> limiters = PerKey.builder(
                        (String key) -> RateLimiter.builder(1, Duration.ofHours(1))
                                .ticker(now::get)
                                .build())
                .maxKeys(1)
                .ticker(now::get)
                .build();
        limiters.get("a").tryAcquire();
        pass(IDLE_AFTER);
        assertThatThrownBy(() -> limiters.get("b")).isInstanceOf(TooManyKeysException.class);
        pass(Duration.ofMinutes(50));
        assertThat(limiters.get("b").tryAcquire()).isTrue();

        PerKey<String, AsyncBulkhead> bulkheads = PerKey.builder((String key) -> AsyncBulkhead.of(1))
                .maxKeys(1)
                .ticker(now::get)
                .build();
        CompletableFuture<String> operation = new CompletableFuture<>();
        bulkheads.get("a").submit(() -> operation);
        pass(IDLE_AFTER);
        assertThatThrownBy(() -> bulkheads.get("b")).isInstanceOf(TooManyKeysException.class);
        operation.complete("done");
        assertThat(bulkheads.get("b")).isNotNull();
    }

    @Test
    @DisplayName("KY-3 at maxKeys a new key is refused if nothing can go, with a Refusal; known keys are served")
    void get_atMaxKeys_refused() {
        PerKey<Object, Part> keys = builder().name("tenants").maxKeys(2).build();
        Part a = keys.get("a");
        keys.get("b");

        assertThatThrownBy(() -> keys.get("c")).isInstanceOfSatisfying(TooManyKeysException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo("KY_ERR_TOO_MANY_KEYS").isEqualTo(TooManyKeysException.CODE);
            assertThat(refusal.source()).isEqualTo("tenants");
            assertThat(refusal.retryAfter()).isZero();
            assertThat(refusal.getStackTrace()).isEmpty();
            assertThat(refusal).hasMessage("keys 'tenants' are full: 2 in use");
            assertThat(Refusal.in(refusal)).contains(refusal);
        });
        assertThat(keys.get("a")).isSameAs(a);
        assertThat(made).hasValue(2);
        pass(IDLE_AFTER.minusNanos(1));
        keys.get("a");
        pass(Duration.ofNanos(1));
        assertThat(keys.get("c")).isNotNull();
        assertThat(keys.get("a")).isSameAs(a);
        assertThat(keys.size()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "KY-3 a million hostile keys take no more memory than maxKeys do, and a known one is served all the while")
    void hostileKeys_boundedMemory() {
        PerKey<Object, Part> keys = builder().maxKeys(1_000).build();
        Part known = keys.get("known");
        int refused = 0;
        long weight = 0;
        for (int i = 0; i < 1_000_000; i++) {
            try {
                keys.get(i);
            } catch (TooManyKeysException e) {
                refused++;
            }
            if (i % 1_000 == 0) {
                now.addAndGet(IDLE_AFTER.toNanos() / 20);
                assertThat(keys.get("known")).isSameAs(known);
            }
            if (i == 10_000) {
                weight = Weight.of(keys);
            }
        }

        assertThat(keys.size()).isLessThanOrEqualTo(1_000);
        assertThat(refused).isPositive();
        assertThat(Weight.of(keys)).isLessThan(2 * weight);
    }

    @Test
    @DisplayName("KY-1 KY-2 KY-3 random scripts agree with a plain map, step by step")
    void script_agrees() {
        for (long seed = 0; seed < 150; seed++) {
            try {
                play(new Random(seed));
            } catch (RuntimeException | AssertionError wrong) {
                throw new AssertionError("seed " + seed + ": " + wrong, wrong);
            }
        }
    }

    private record Used(Part part, long at) {}

    /** A reference entry: it may be dropped from a certain time on, and must be there until then. */
    private void play(Random random) {
        int maxKeys = 1 + random.nextInt(6);
        PerKey<Object, Part> keys = builder().maxKeys(maxKeys).build();
        Map<Object, Used> model = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            now.addAndGet(IDLE_AFTER.toNanos() / 4 * random.nextInt(3));
            Integer key = random.nextInt(10);
            Map<Object, Part> before = new HashMap<>();
            keys.forEach(before::put);
            boolean canAnyGo = before.keySet().stream().anyMatch(other -> canGo(model.get(other)));
            Part got;
            try {
                got = keys.get(key);
            } catch (TooManyKeysException refused) {
                assertThat(before).doesNotContainKey(key).hasSize(maxKeys);
                assertThat(canAnyGo).isFalse();
                continue;
            }
            Used known = model.get(key);
            if (known != null && !canGo(known)) {
                assertThat(got).isSameAs(known.part);
            }
            model.put(key, new Used(got, now.get()));
            keys.forEach((other, part) -> assertThat(model.get(other).part).isSameAs(part));
            assertThat(keys.size()).isLessThanOrEqualTo(maxKeys);
            got.idle = random.nextInt(3) > 0;
            for (Used used : model.values()) {
                used.part.idle |= random.nextInt(4) == 0;
            }
        }
    }

    private boolean canGo(Used used) {
        return used.part.idle && now.get() - used.at >= IDLE_AFTER.toNanos();
    }

    @Test
    @DisplayName("KY-1 KY-2 threads that get, use and let time pass never have two instances of one key that are fresh")
    void manyThreads_oneInstance() throws InterruptedException {
        PerKey<Object, Part> keys = builder().maxKeys(8).build();
        Map<Object, Used> latest = new ConcurrentHashMap<>();
        AtomicInteger wrong = new AtomicInteger();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            Random random = new Random(i);
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 20_000; round++) {
                    if (random.nextInt(4) == 0) {
                        pass(IDLE_AFTER.dividedBy(3));
                    }
                    Integer key = random.nextInt(12);
                    long before = now.get();
                    Used last = latest.get(key);
                    try {
                        Part part = keys.get(key);
                        boolean isFresh = last != null && now.get() - last.at < IDLE_AFTER.toNanos();
                        if (isFresh && last.part != part) {
                            wrong.incrementAndGet();
                        }
                        latest.put(key, new Used(part, before));
                    } catch (TooManyKeysException refused) {
                        // another instance is made then
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wrong).hasValue(0);
        assertThat(keys.size()).isLessThanOrEqualTo(8);
    }

    @Test
    @DisplayName("KY-1 settings that cannot work are refused, and name what was expected")
    void settings_bad_areRefused() {
        PerKey.Builder<Object, Part> builder = builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxKeys(0))
                .withMessage("maxKeys: 0 (expected: >= 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.idleAfter(Duration.ZERO))
                .withMessage("idleAfter: PT0S (expected: longer than zero)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.name(""))
                .withMessage("name: '' (expected: not blank)");
        assertThatNullPointerException().isThrownBy(() -> PerKey.builder(null));
        assertThatNullPointerException().isThrownBy(() -> builder.name(null));
        assertThatNullPointerException().isThrownBy(() -> builder.idleAfter(null));
        assertThatNullPointerException().isThrownBy(() -> builder.ticker(null));
        assertThat(builder.idleAfter(Duration.ofSeconds(Long.MAX_VALUE)).build().get("a"))
                .isNotNull();
    }
}

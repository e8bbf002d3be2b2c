package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Holder;
import io.tidegate.HolderWatch;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.memory.Allocations;
import io.tidegate.reading.Measures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MeasuresTest extends BulkheadTest {
    private static final CompletableFuture<Object> DONE = CompletableFuture.completedFuture(null);

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-4 in flight, limit, admitted, refused by code, ended by outcome")
    void read_mixed_tellsAll(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(2, lifetime);
        CompletableFuture<Object> fails = new CompletableFuture<>();
        CompletableFuture<Object> cancelled = new CompletableFuture<>();
        submit(bulkhead, fails);
        submit(bulkhead, cancelled);
        submit(bulkhead, DONE);
        Measures full = Measures.of(bulkhead);
        assertThat(full.gauges).isEqualTo(Map.of("in.flight", 2.0, "limit", 2.0));
        fails.completeExceptionally(new IllegalStateException());
        cancelled.cancel(false);
        submit(bulkhead, DONE);
        submit(bulkhead, CompletableFuture.failedFuture(new IllegalStateException()));
        submit(bulkhead, CompletableFuture.failedFuture(new CompletionException(new IllegalStateException())));
        bulkhead.submit(() -> {
            throw new IllegalStateException();
        });
        Measures told = Measures.of(bulkhead);
        assertThat(told.gauges).containsEntry("in.flight", 0.0);
        assertThat(told.counts)
                .isEqualTo(Map.of(
                        "admitted", 6L,
                        "refused[code, AB_ERR_FULL]", 1L,
                        "ended[outcome, success]", 1L,
                        "ended[outcome, failure]", 4L,
                        "ended[outcome, cancelled]", 1L));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-5 run times are taken from the first reading on")
    void read_runs_areTimed(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(2, lifetime);
        submit(bulkhead, DONE);
        assertThat(Measures.of(bulkhead).times.get("run").count()).isZero();
        CompletableFuture<Object> pending = new CompletableFuture<>();
        submit(bulkhead, pending);
        assertThat(Measures.of(bulkhead).times.get("run").count()).isZero();
        pending.complete(1);
        submit(bulkhead, DONE);
        Measures.Time runs = Measures.of(bulkhead).times.get("run");
        assertThat(runs.count()).isEqualTo(2);
        assertThat(runs.maxNanos()).isPositive().isGreaterThanOrEqualTo(runs.p50Nanos());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-5 run times of an adaptive bulkhead go by its ticker, and it still learns")
    void read_adaptive_isTimed(PermitLifetime lifetime) {
        AtomicLong ticker = new AtomicLong(-7);
        AsyncBulkhead bulkhead = AdaptiveLimit.aimd()
                .initial(4)
                .permitLifetime(lifetime)
                .watchHolders(Duration.ofHours(1))
                .ticker(ticker::get)
                .build();
        Measures.of(bulkhead);
        CompletableFuture<Object> pending = new CompletableFuture<>();
        submit(bulkhead, pending);
        ticker.addAndGet(1_000_000);
        pending.completeExceptionally(new java.util.concurrent.TimeoutException());
        Measures told = Measures.of(bulkhead);
        assertThat(told.times.get("run").maxNanos()).isEqualTo(1_000_000);
        assertThat(told.gauges.get("limit")).isLessThan(4);
    }

    @Test
    @DisplayName("OB-1 reading changes nothing that callers see")
    void read_any_changesNothing() {
        AsyncBulkhead bulkhead = bulkhead(2);
        CompletableFuture<Object> pending = new CompletableFuture<>();
        submit(bulkhead, pending);
        BulkheadStats before = bulkhead.stats();
        Measures.of(bulkhead);
        assertThat(bulkhead.stats()).isEqualTo(before);
        pending.complete(1);
    }

    @Test
    @DisplayName("OB-5 OB-6 nothing is allocated for what is timed, nor while nobody watches")
    void submit_done_allocatesNothing() {
        AsyncBulkhead bulkhead = bulkhead(2);
        assertThat(Allocations.of(50_000, i -> bulkhead.submit(() -> DONE))).isLessThan(Allocations.SLACK);
        Measures.of(bulkhead);
        assertThat(Allocations.of(50_000, i -> bulkhead.submit(() -> DONE))).isLessThan(Allocations.SLACK);
    }

    // Holders

    private final BlockingQueue<Holder> told = new ArrayBlockingQueue<>(10);

    private AsyncBulkhead watched(PermitLifetime lifetime, HolderWatch watch) {
        return AsyncBulkhead.builder(3)
                .name("stock")
                .permitLifetime(lifetime)
                .watch(watch)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-6 a holder that is too old is told once, with thread, owner, age and stack")
    void watchHolders_heldLong_isToldOnce(PermitLifetime lifetime) throws InterruptedException {
        AsyncBulkhead bulkhead = watched(
                lifetime,
                HolderWatch.olderThan(Duration.ofNanos(1))
                        .owner(() -> "checkout")
                        .stackOneIn(1)
                        .listener(told::add));
        CompletableFuture<Object> pending = new CompletableFuture<>();
        submit(bulkhead, pending);
        Holder holder = told.poll(10, TimeUnit.MINUTES);
        assertThat(holder.kind()).isEqualTo("bulkhead");
        assertThat(holder.source()).isEqualTo("stock");
        assertThat(holder.thread()).isEqualTo(Thread.currentThread().getName());
        assertThat(holder.owner()).isEqualTo("checkout");
        assertThat(holder.age()).isPositive();
        assertThat(holder.stack()).isNotEmpty();
        assertThat(holder.toString())
                .startsWith("OB_WARN_HELD_LONG: bulkhead 'stock' is held for PT")
                .contains("for 'checkout'\n\tat ");
        CompletableFuture<Object> other = new CompletableFuture<>();
        submit(bulkhead, other);
        assertThat(told.poll(10, TimeUnit.MINUTES)).isNotNull(); // the other holder's report
        Measures measures = Measures.of(bulkhead);
        assertThat(measures.counts).containsEntry("held.long", 2L);
        assertThat(told).isEmpty();
        assertThat(measures.gauges.get("held.oldest")).isPositive();
        pending.complete(1);
        other.complete(1);
        assertThat(Measures.of(bulkhead).gauges).containsEntry("held.oldest", 0.0);
    }

    @Test
    @DisplayName("OB-6 a told holder is still the oldest, leaves like all others, and is not told again")
    void watchHolders_heldOnAfterBeingTold_staysAHolder() throws InterruptedException {
        AsyncBulkhead bulkhead = watched(
                PermitLifetime.OPERATION,
                HolderWatch.olderThan(Duration.ofMillis(1)).listener(told::add));
        List<CompletableFuture<Object>> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add(new CompletableFuture<>());
            submit(bulkhead, held.get(i));
            assertThat(told.poll(10, TimeUnit.MINUTES)).isNotNull();
            double oldest = Measures.of(bulkhead).gauges.get("held.oldest");
            assertThat(oldest).isGreaterThanOrEqualTo((i + 1) * 0.001);
        }
        assertThat(told).isEmpty();
        held.forEach(each -> each.complete(1));
        assertThat(bulkhead.inFlight()).isZero();
        Measures after = Measures.of(bulkhead);
        assertThat(after.gauges).containsEntry("held.oldest", 0.0);
        assertThat(after.counts).containsEntry("held.long", 3L);
    }

    @Test
    @DisplayName("OB-6 an owner and a listener that throw hinder nobody")
    void watchHolders_hostile_isSurvived() throws InterruptedException {
        BlockingQueue<String> asked = new ArrayBlockingQueue<>(10);
        AsyncBulkhead bulkhead = watched(
                PermitLifetime.RETURNED_STAGE,
                HolderWatch.olderThan(Duration.ofNanos(1))
                        .owner(() -> {
                            throw new IllegalStateException();
                        })
                        .listener(holder -> {
                            asked.add(holder.owner());
                            throw new IllegalStateException();
                        }));
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Object> pending = new CompletableFuture<>();
            CompletableFuture<Object> returned = submit(bulkhead, pending);
            assertThat(asked.poll(10, TimeUnit.MINUTES)).isEmpty();
            pending.complete(1);
            assertThat(returned).isCompletedWithValue(1);
        }
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("OB-6 a listener that blocks keeps no other holder from being told, and one that is back is not told")
    void watchHolders_listenerBlocks_othersAreTold() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AsyncBulkhead bulkhead = watched(
                PermitLifetime.RETURNED_STAGE,
                HolderWatch.olderThan(Duration.ofNanos(1)).listener(holder -> {
                    told.add(holder);
                    blocked.countDown();
                    awaitUninterruptibly(go);
                }));
        CompletableFuture<Object> first = new CompletableFuture<>();
        CompletableFuture<Object> second = new CompletableFuture<>();
        submit(bulkhead, first);
        blocked.await();
        submit(bulkhead, second);
        assertThat(told.poll(10, TimeUnit.MINUTES)).isNotNull();
        assertThat(told.poll(10, TimeUnit.MINUTES)).isNotNull();
        go.countDown();
        first.complete(1);
        second.complete(1);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("OB-6 AB-12 a watch loses no permit at the end of a stack")
    void watchHolders_endOfStack_losesNone() {
        AsyncBulkhead bulkhead = watched(
                PermitLifetime.RETURNED_STAGE,
                HolderWatch.olderThan(Duration.ofHours(1)).stackOneIn(8));
        for (int i = 0; i < 3; i++) {
            try {
                submitAndGoDeeper(bulkhead);
            } catch (StackOverflowError end) {
                // as it must
            }
        }
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(submit(bulkhead, DONE)).isCompleted();
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static int submitAndGoDeeper(AsyncBulkhead bulkhead) {
        submit(bulkhead, DONE);
        return 1 + submitAndGoDeeper(bulkhead);
    }

    @Test
    @DisplayName("OB-6 a watch that cannot work is refused")
    void watchHolders_bad_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AsyncBulkhead.builder(1).watchHolders(Duration.ZERO))
                .withMessage("olderThan: PT0S (expected: positive)");
        HolderWatch watch = HolderWatch.olderThan(Duration.ofSeconds(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> watch.stackOneIn(0))
                .withMessage("stackOneIn: 0 (expected: >= 1)");
    }

    @Test
    @DisplayName("OB-6 without a watch nothing is told of holders")
    void read_unwatched_tellsNoHolders() {
        assertThat(Measures.of(bulkhead(1)).gauges).doesNotContainKey("held.oldest");
    }

    // Limits that are set

    @Test
    @DisplayName("the limit can be changed while work is in flight: nothing is lost, nobody too many admitted")
    void setMaxInFlight_lower_admitsNobodyUntilFewer() {
        AsyncBulkhead bulkhead = bulkhead(3);
        CompletableFuture<Object> first = new CompletableFuture<>();
        CompletableFuture<Object> second = new CompletableFuture<>();
        submit(bulkhead, first);
        submit(bulkhead, second);
        bulkhead.setMaxInFlight(1);
        assertThat(bulkhead.maxInFlight()).isEqualTo(1);
        assertThat(bulkhead.available()).isZero();
        assertThat(errorOf(submit(bulkhead, DONE)))
                .isInstanceOfSatisfying(
                        BulkheadRejectedException.class,
                        refused -> assertThat(refused.maxInFlight()).isEqualTo(1));
        first.complete(1);
        assertThat(submit(bulkhead, DONE)).isCompletedExceptionally();
        second.complete(1);
        assertThat(submit(bulkhead, DONE)).isCompleted();
        bulkhead.setMaxInFlight(Integer.MAX_VALUE);
        assertThat(bulkhead.available()).isEqualTo(Integer.MAX_VALUE);
        bulkhead.setMaxInFlight(5);
        assertThat(bulkhead.available()).isEqualTo(5);
    }

    @Test
    void setMaxInFlight_bad_changesNothing() {
        AsyncBulkhead bulkhead = bulkhead(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bulkhead.setMaxInFlight(0))
                .withMessage("maxInFlight: 0 (expected: >= 1)");
        assertThat(bulkhead.maxInFlight()).isEqualTo(3);
        assertThat(bulkhead.isLimitFixed()).isTrue();
        assertThat(AdaptiveLimit.gradient().build().isLimitFixed()).isFalse();
        assertThatThrownBy(() -> AdaptiveLimit.gradient().build().setMaxInFlight(2))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("adaptive");
    }
}

package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Holder;
import io.tidegate.HolderWatch;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.race.Race;
import io.tidegate.reading.Measures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MeasuresTest {
    private static final CompletableFuture<Object> DONE = CompletableFuture.completedFuture(null);

    private final AtomicLong nowMs = new AtomicLong();
    private final RemoteBulkhead bulkhead = RemoteBulkhead.builder(1)
            .name("far")
            .policy(new BackpressurePolicy.Queue(2, 100))
            .build();

    private RemoteBulkheadClient.Builder client() {
        return RemoteBulkheadClient.builder(bulkhead).executor(Runnable::run).clock(nowMs::get);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-4 in flight, limit, waiting, admitted, refused by code, given up, ended by outcome, latency")
    void read_mixed_tellsAll(PermitLifetime lifetime) {
        RemoteBulkheadClient client = client().permitLifetime(lifetime).build();
        RemoteCapability capability = client.takeCapability();
        CompletableFuture<Object> first = new CompletableFuture<>();
        client.submit(capability, "a", () -> first);
        client.submit(capability, "b", () -> CompletableFuture.failedFuture(new IOException()));
        CompletableFuture<Object> givesUp =
                client.submit(capability, "c", () -> DONE).toCompletableFuture();
        client.submit(capability, "d", () -> DONE);
        client.submit(null, "e", () -> DONE);
        Measures busy = Measures.of(client);
        assertThat(busy.gauges)
                .containsEntry("in.flight", 1.0)
                .containsEntry("limit", 1.0)
                .containsEntry("waiting", 2.0)
                .containsEntry("draining", 0.0);
        givesUp.cancel(false);
        nowMs.set(40);
        first.complete(1);
        client.submit(capability, "f", () -> {
            throw new IllegalStateException();
        });
        Measures told = Measures.of(client);
        assertThat(told.gauges)
                .containsEntry("in.flight", 0.0)
                .containsEntry("waiting", 0.0)
                .containsEntry("latency.p99", 0.04);
        assertThat(told.counts)
                .containsEntry("admitted", 3L)
                .containsEntry("gave.up", 1L)
                .containsEntry("refused[code, RB_ERR_QUEUE_SATURATED]", 1L)
                .containsEntry("refused[code, RB_ERR_NO_REMOTECAP]", 1L)
                .containsEntry("ended[outcome, success]", 1L)
                .containsEntry("ended[outcome, failure]", 2L)
                .containsEntry("ended[outcome, cancelled]", 0L);
        assertThat(Measures.of(bulkhead).counts).containsEntry("admitted", 3L).containsEntry("gave.up", 1L);
        assertThat(client.kind()).isEqualTo(bulkhead.kind()).isEqualTo("remote");
        assertThat(client.name()).isEqualTo(bulkhead.name()).isEqualTo("far");
    }

    @Test
    @DisplayName("OB-4 a request that waited for too long is counted by its code")
    void read_timedOut_isCounted() {
        bulkhead.acquire(true, "a", 0);
        bulkhead.acquire(true, "b", 0);
        bulkhead.pollQueued("b", 1_000);
        assertThat(Measures.of(bulkhead).counts).containsEntry("refused[code, RB_ERR_QUEUE_TIMEOUT]", 1L);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-5 runs and waits are timed from the first reading on")
    void read_times_areTaken(PermitLifetime lifetime) {
        RemoteBulkheadClient client = client().permitLifetime(lifetime).build();
        RemoteCapability capability = client.takeCapability();
        client.submit(capability, "before", () -> DONE);
        assertThat(Measures.of(client).times.get("run").count()).isZero();
        CompletableFuture<Object> first = new CompletableFuture<>();
        client.submit(capability, "a", () -> first);
        client.submit(capability, "b", () -> DONE);
        client.submit(capability, "c", () -> DONE).toCompletableFuture().cancel(false);
        first.complete(1);
        Measures told = Measures.of(client);
        assertThat(told.times.get("run").count()).isEqualTo(2);
        assertThat(told.times.get("wait").count()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-6 a request that holds a permit for too long is told")
    void watchHolders_heldLong_isTold(PermitLifetime lifetime) throws InterruptedException {
        BlockingQueue<Holder> told = new ArrayBlockingQueue<>(10);
        RemoteBulkheadClient client = client().permitLifetime(lifetime)
                .watch(HolderWatch.olderThan(Duration.ofNanos(1)).listener(told::add))
                .build();
        RemoteCapability capability = client.takeCapability();
        CompletableFuture<Object> pending = new CompletableFuture<>();
        client.submit(capability, "a", () -> pending);
        Holder holder = told.poll(10, TimeUnit.MINUTES);
        assertThat(holder.kind()).isEqualTo("remote");
        assertThat(holder.source()).isEqualTo("far");
        assertThat(Measures.of(client).gauges.get("held.oldest")).isPositive();
        pending.complete(1);
        assertThat(Measures.of(client).gauges).containsEntry("held.oldest", 0.0);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-6 a request that ends between its grant and its start, or at its start, holds nothing any more")
    void watchHolders_endedAtItsStart_isNotKept(PermitLifetime lifetime) {
        Queue<Runnable> starts = new ArrayDeque<>();
        RemoteBulkheadClient client = client().permitLifetime(lifetime)
                .executor(starts::add)
                .watchHolders(Duration.ofHours(1))
                .build();
        RemoteCapability capability = client.takeCapability();
        for (boolean beforeStart : new boolean[] {true, false}) {
            CompletableFuture<Object> first = new CompletableFuture<>();
            client.submit(capability, "a", () -> first);
            CompletableFuture<Object> operation = new CompletableFuture<>();
            AtomicReference<CompletableFuture<Object>> second = new AtomicReference<>();
            second.set(client.submit(capability, "b", () -> {
                        second.get().cancel(false);
                        return operation;
                    })
                    .toCompletableFuture());
            first.complete(1);
            if (beforeStart) {
                second.get().cancel(false);
            }
            starts.remove().run();
            operation.complete(1);
            assertThat(Measures.of(client).gauges)
                    .containsEntry("in.flight", 0.0)
                    .containsEntry("held.oldest", 0.0);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("OB-6 what has its permit and is never started is held, and told")
    void watchHolders_neverStarted_isTold(PermitLifetime lifetime) throws InterruptedException {
        BlockingQueue<Holder> told = new ArrayBlockingQueue<>(10);
        RemoteBulkheadClient client = client().permitLifetime(lifetime)
                .executor(start -> {})
                .watch(HolderWatch.olderThan(Duration.ofNanos(1))
                        .owner(() -> "b")
                        .listener(told::add))
                .build();
        RemoteCapability capability = client.takeCapability();
        BulkheadPermit first = ((AcquireResult.Granted) bulkhead.acquire(true, "a", 0)).permit();
        CompletableFuture<Object> second =
                client.submit(capability, "b", () -> DONE).toCompletableFuture();
        assertThat(Measures.of(client).gauges).containsEntry("held.oldest", 0.0);
        bulkhead.release(first, 0);
        assertThat(told.poll(10, TimeUnit.MINUTES).owner()).isEqualTo("b");
        assertThat(Measures.of(client).gauges.get("held.oldest")).isPositive();
        second.cancel(false);
        assertThat(Measures.of(client).gauges).containsEntry("in.flight", 0.0).containsEntry("held.oldest", 0.0);
    }

    @Test
    @DisplayName("OB-6 what could not be started holds nothing any more")
    void watchHolders_executorRefuses_isNotKept() {
        RemoteBulkheadClient client = client().executor(start -> {
                    throw new RejectedExecutionException();
                })
                .watchHolders(Duration.ofHours(1))
                .build();
        RemoteCapability capability = client.takeCapability();
        CompletableFuture<Object> first = new CompletableFuture<>();
        client.submit(capability, "a", () -> first);
        client.submit(capability, "b", () -> DONE);
        first.complete(1);
        assertThat(Measures.of(client).gauges).containsEntry("in.flight", 0.0).containsEntry("held.oldest", 0.0);
    }

    @Test
    @DisplayName("OB-6 a request that is cancelled while it is let in holds nothing any more")
    void watchHolders_cancelledAtItsGrant_isNotKept() {
        String wrong = Race.run(Long.MAX_VALUE, Race.LIMIT, () -> {
            RemoteBulkhead own = RemoteBulkhead.create(1, new BackpressurePolicy.Queue(2, 100), 1);
            RemoteBulkheadClient client = RemoteBulkheadClient.builder(own)
                    .executor(Runnable::run)
                    .clock(nowMs::get)
                    .watchHolders(Duration.ofHours(1))
                    .build();
            RemoteCapability capability = client.takeCapability();
            CompletableFuture<Object> first = new CompletableFuture<>();
            client.submit(capability, "a", () -> first);
            CompletableFuture<Object> second =
                    client.submit(capability, "b", CompletableFuture::new).toCompletableFuture();
            return new Race.Round() {
                @Override
                public void first() {
                    first.complete(1);
                }

                @Override
                public void second() {
                    second.cancel(false);
                }

                @Override
                public String verdict() {
                    Measures told = Measures.of(client);
                    return told.gauges.get("in.flight") == 0 && told.gauges.get("held.oldest") == 0
                            ? null
                            : told.gauges.toString();
                }
            };
        });
        assertThat(wrong).isNull();
    }

    @Test
    @DisplayName("OB-6 the owner of a request that waited is that of its submission")
    void watchHolders_waited_hasTheOwnerOfItsSubmitter() throws InterruptedException {
        BlockingQueue<Holder> told = new ArrayBlockingQueue<>(10);
        AtomicReference<String> user = new AtomicReference<>("alice");
        RemoteBulkheadClient client = client().watch(HolderWatch.olderThan(Duration.ofNanos(1))
                        .owner(user::get)
                        .listener(told::add))
                .build();
        RemoteCapability capability = client.takeCapability();
        CompletableFuture<Object> first = new CompletableFuture<>();
        CompletableFuture<Object> second = new CompletableFuture<>();
        client.submit(capability, "a", () -> first);
        user.set("bob");
        client.submit(capability, "b", () -> second);
        user.set("carol");
        assertThat(told.poll(10, TimeUnit.MINUTES).owner()).isEqualTo("alice");
        first.complete(1);
        assertThat(told.poll(10, TimeUnit.MINUTES).owner()).isEqualTo("bob");
        second.complete(1);
    }

    @Test
    @DisplayName("OB-4 what was granted and never started gave up; what ended is told the same by all clients")
    void read_neverStarted_gaveUp() {
        RemoteBulkheadClient refusing = client().executor(task -> {
                    throw new RejectedExecutionException();
                })
                .build();
        RemoteBulkheadClient other = client().build();
        RemoteCapability capability = refusing.takeCapability();
        CompletableFuture<Object> first = new CompletableFuture<>();
        refusing.submit(capability, "a", () -> first);
        refusing.submit(capability, "b", () -> DONE);
        first.complete(1);
        other.submit(capability, "c", () -> CompletableFuture.failedFuture(new IOException()));
        for (RemoteBulkheadClient client : List.of(refusing, other)) {
            assertThat(Measures.of(client).counts)
                    .containsEntry("admitted", 3L)
                    .containsEntry("gave.up", 1L)
                    .containsEntry("ended[outcome, success]", 1L)
                    .containsEntry("ended[outcome, failure]", 1L);
        }
    }
}

package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A remote bulkhead as a layer. A call that it admits after a wait starts when the test says so. */
class RemoteLayerTest extends GuardTest {
    private final RemoteBulkhead bulkhead = RemoteBulkhead.builder(1)
            .name("remote")
            .policy(BackpressurePolicy.queue(10, 3_600_000))
            .build();
    private final Deque<Runnable> starts = new ArrayDeque<>();
    private final CircuitBreaker breaker = breaker();
    private RemoteBulkheadClient client = client(PermitLifetime.RETURNED_STAGE);
    private final RemoteCapability capability = client.takeCapability();

    private RemoteBulkheadClient client(PermitLifetime lifetime) {
        return RemoteBulkheadClient.builder(bulkhead)
                .permitLifetime(lifetime)
                .executor(start -> {
                    synchronized (starts) {
                        starts.add(start);
                        starts.notifyAll();
                    }
                })
                .build();
    }

    private void startNext() throws InterruptedException {
        Runnable start;
        synchronized (starts) {
            while (starts.isEmpty()) {
                starts.wait();
            }
            start = starts.remove();
        }
        start.run();
    }

    private Guard guard() {
        return built(builder().breaker(breaker).bulkhead(client, capability));
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(bulkhead.queueDepth()).isZero();
        assertThat(breaker.counts().requests())
                .isEqualTo(breaker.counts().totalSuccesses() + breaker.counts().totalFailures());
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("GD-14 submit waits in the queue without a thread; requests have names of their own")
    void submit_waitsInQueue(PermitLifetime lifetime) throws Exception {
        client = client(lifetime);
        Guard guard = guard();
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> one = submit(guard, () -> first);
        CompletableFuture<String> two = submit(guard, () -> second);
        assertThat(bulkhead.queueDepth()).isOne();
        first.complete("one");
        assertThat(one).isCompletedWithValue("one");
        startNext();
        assertThat(bulkhead.inFlight()).isOne();
        second.completeExceptionally(FAILED);
        assertThat(errorOf(two)).isSameAs(FAILED);
        assertThat(breaker.counts().totalFailures()).isOne();
        List<String> names = bulkhead.events().stream()
                .flatMap(event ->
                        Pattern.compile("guard#\\d+").matcher(event.detail()).results())
                .map(MatchResult::group)
                .distinct()
                .toList();
        assertThat(names).hasSize(2);
    }

    @Test
    @DisplayName("GD-14 an ended stage takes the request out of the queue, and nothing runs; a limit, too")
    void submit_endedWhileWaiting_leavesTheQueue() throws Exception {
        Guard guard = guard();
        Guard limited = built(builder().timeLimit(millis(10)).bulkhead(client, capability));
        CompletableFuture<String> first = new CompletableFuture<>();
        submit(guard, () -> first);
        CompletableFuture<Object> cancelled = submit(guard, () -> {
            throw new AssertionError("ran");
        });
        CompletableFuture<Object> late = submit(limited, () -> {
            throw new AssertionError("ran");
        });
        assertThat(bulkhead.queueDepth()).isEqualTo(2);
        cancelled.cancel(false);
        assertThat(bulkhead.queueDepth()).isOne();
        time.advance(millis(10));
        assertThat(errorOf(late)).isInstanceOf(TimeLimitExceededException.class);
        assertThat(bulkhead.queueDepth()).isZero();
        first.complete("one");
        assertThat(starts).isEmpty();
    }

    @Test
    @DisplayName("GD-14 ended after it was let in and before it started: the permit goes back, and nothing runs")
    void submit_endedBetweenGrantAndStart_givesBack() throws Exception {
        Guard guard = guard();
        CompletableFuture<String> first = new CompletableFuture<>();
        submit(guard, () -> first);
        CompletableFuture<Object> granted = submit(guard, () -> {
            throw new AssertionError("ran");
        });
        first.complete("one");
        granted.cancel(false);
        assertThat(bulkhead.inFlight()).isZero();
        startNext();
    }

    @Test
    @DisplayName("GD-14 the deadline of a guard around this one takes the request out of the queue")
    void submit_foreignDeadline_leavesTheQueue() {
        Guard inner = guard();
        Guard outer = built(builder().timeLimit(millis(10)));
        CompletableFuture<String> first = new CompletableFuture<>();
        submit(inner, () -> first);
        CompletableFuture<Object> waiting = new CompletableFuture<>();
        CompletableFuture<Object> outside = submit(outer, () -> {
            inner.submit(CompletableFuture::new).whenComplete((value, error) -> waiting.completeExceptionally(error));
            return waiting;
        });
        time.advance(millis(10));
        assertThat(errorOf(outside)).isNotNull();
        assertThat(Refusal.in(errorOf(waiting)).map(Refusal::code)).contains("RB_ERR_QUEUE_TIMEOUT");
        assertThat(bulkhead.queueDepth()).isZero();
        first.complete("one");
    }

    /** Starts a thread: a virtual one, if asked for and if the JDK has virtual threads. */
    private static Thread started(boolean virtual, Runnable task) throws ReflectiveOperationException {
        if (virtual && Runtime.version().feature() >= 21) {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        }
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    @ParameterizedTest
    @CsvSource({"RETURNED_STAGE, false", "OPERATION, false", "RETURNED_STAGE, true", "OPERATION, true"})
    @DisplayName("GD-14 call waits on its thread, virtual or not, and runs there; its permit is back before it returns")
    void call_waitsOnItsThread(PermitLifetime lifetime, boolean virtual) throws Exception {
        client = client(lifetime);
        Guard guard = guard();
        CompletableFuture<String> first = new CompletableFuture<>();
        submit(guard, () -> first);
        CompletableFuture<Integer> afterwards = new CompletableFuture<>();
        Thread[] ran = new Thread[1];
        Thread caller = started(virtual, () -> {
            try {
                guard.call(() -> ran[0] = Thread.currentThread());
                afterwards.complete(bulkhead.inFlight());
            } catch (Throwable failed) {
                afterwards.completeExceptionally(failed);
            }
        });
        while (bulkhead.queueDepth() == 0) {
            Thread.onSpinWait();
        }
        first.complete("one");
        startNext();
        assertThat(afterwards.get(1, TimeUnit.MINUTES)).isZero();
        assertThat(ran[0]).isSameAs(caller);
        caller.join();
        assertThat(guard.call(() -> bulkhead.inFlight())).isOne();
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("GD-14 GD-9 an interrupt takes a waiting call out of the queue")
    void call_interrupted_leavesTheQueue() throws Exception {
        Guard guard = guard();
        CompletableFuture<String> first = new CompletableFuture<>();
        submit(guard, () -> first);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> guard.call(throwing(new AssertionError("ran"))))
                .isInstanceOf(InterruptedException.class);
        assertThat(bulkhead.queueDepth()).isZero();
        assertThat(breaker.counts().totalFailures()).isZero();
        first.complete("one");
    }

    @Test
    @DisplayName("GD-2 GD-14 a full queue refuses as the bulkhead does")
    void full_refuses() throws Exception {
        RemoteBulkhead narrow = RemoteBulkhead.builder(1).name("narrow").build();
        RemoteBulkheadClient rejecting = RemoteBulkheadClient.of(narrow);
        Guard guard = built(builder().breaker(breaker).bulkhead(rejecting, rejecting.takeCapability()));
        CompletableFuture<String> first = new CompletableFuture<>();
        submit(guard, () -> first);
        assertThat(guard.attempt(() -> 1)).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.refusal().code()).isEqualTo("RB_ERR_AT_CAPACITY");
            assertThat(refused.refusal().source()).isEqualTo("narrow");
        });
        assertThat(Refusal.in(errorOf(submit(guard, () -> CompletableFuture.completedFuture(1)))))
                .isPresent();
        first.complete("one");
        assertThat(guard.call(() -> 1)).isEqualTo(1);
        assertThat(narrow.inFlight()).isZero();
    }

    @Test
    @DisplayName("GD-6 GD-14 a permit that is bound to the operation stays until that ends")
    void cancel_boundPermit_stays() {
        client = client(PermitLifetime.OPERATION);
        Guard guard = guard();
        CompletableFuture<String> operation = new CompletableFuture<>();
        submit(guard, () -> operation).cancel(false);
        assertThat(bulkhead.inFlight()).isOne();
        operation.complete("late");
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("GD-12 a capability is required")
    void builder_noCapability_isRefused() {
        assertThatThrownBy(() -> builder().bulkhead(client, null)).isInstanceOf(NullPointerException.class);
    }
}

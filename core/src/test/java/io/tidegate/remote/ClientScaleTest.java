package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.memory.Threads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("hot")
class ClientScaleTest extends ClientTest {
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");

    private static BackpressurePolicy room(int waiters) {
        return BackpressurePolicy.queue(waiters, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName(
            "RB-21 AB-19 on the default executor 5,000 waiting requests whose operations are done need no deep stack")
    void deepChain_defaultExecutor_doesNotOverflow(PermitLifetime lifetime) {
        int waiters = 5_000; // with one processor, each has a thread
        Door door = Door.to(RemoteBulkheadClient.builder(bulkhead(1, room(waiters)))
                .permitLifetime(lifetime)
                .build());
        CompletableFuture<String> holder = door.occupy("holder");
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            all.add(door.submit("waiter " + i, DONE));
        }

        holder.complete("done");

        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .orTimeout(10, TimeUnit.MINUTES)
                .join();
    }

    @Test
    @DisplayName("RB-21 AB-19 on the calling thread 100,000 in a chain need none either")
    void deepChain_direct_doesNotOverflow() {
        int waiters = 100_000;
        Door door = door(bulkhead(1, room(waiters)));
        CompletableFuture<String> holder = door.occupy("holder");
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            all.add(door.submit("waiter " + i, DONE));
        }

        holder.complete("done");

        assertThat(all).allMatch(each -> "done".equals(each.getNow("pending")));
    }

    @Test
    @DisplayName("RB-21 AB-19 an executor that refuses 100,000 fails each of them, on a flat stack too")
    void deepChain_refusingExecutor_failsEach() {
        int waiters = 100_000;
        Door door = Door.to(builder(bulkhead(1, room(waiters)))
                .executor(start -> {
                    throw new RejectedExecutionException("full");
                })
                .build());
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> holder = door.submit("holder", operation);
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            all.add(door.submit("waiter " + i, DONE));
        }

        operation.complete("done");

        assertThat(holder).isCompletedWithValue("done");
        assertThat(all).allMatch(each -> "full".equals(errorOf(each).getMessage()));
    }

    @Test
    @DisplayName("RB-21 ten thousand waiting requests need no thread")
    void waiting_many_needsNoThread() {
        int waiters = 10_000;
        Door door = Door.to(RemoteBulkheadClient.of(bulkhead(1, BackpressurePolicy.queue(waiters, 600_000))));
        CompletableFuture<String> holder = door.occupy("holder");
        List<CompletableFuture<String>> all = new ArrayList<>();
        all.add(door.submit("first", DONE)); // starts the JDK's timer

        int threads = Threads.leftBy(() -> {
            for (int i = 1; i < waiters; i++) {
                all.add(door.submit("waiter " + i, DONE));
            }
        });

        assertThat(door.waiting()).isEqualTo(waiters);
        assertThat(threads).isLessThan(100); // the JVM may start some
        all.forEach(waits -> waits.cancel(false));
        holder.complete("done");
    }

    /** Returns an object that only the supplier refers to. */
    private static final class Load implements Supplier<CompletableFuture<String>> {
        private final CompletableFuture<String> operation;

        Load(CompletableFuture<String> operation) {
            this.operation = operation;
        }

        @Override
        public CompletableFuture<String> get() {
            return operation;
        }
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @Timeout(600)
    @DisplayName(
            "RB-21 AB-18 a request that has ended keeps neither supplier nor operation reachable, however it ended")
    void ended_supplierIsUnreachable(PermitLifetime lifetime) {
        Door door = slowDoor(1, lifetime);
        List<CompletableFuture<String>> returned = new ArrayList<>();
        List<WeakReference<?>> loads = new ArrayList<>();
        endInEveryWay(door, returned, loads);

        for (WeakReference<?> load : loads) {
            assertThat(isCleared(load)).isTrue();
        }
        assertThat(returned).allSatisfy(each -> assertThat(each.isDone()).isTrue());
    }

    private void endInEveryWay(Door door, List<CompletableFuture<String>> returned, List<WeakReference<?>> loads) {
        CompletableFuture<String> holder = new CompletableFuture<>();
        returned.add(submit(door, "runs at once", holder, loads));
        returned.add(submit(door, "runs later", DONE, loads));
        returned.add(submit(door, "cancelled between turn and start", DONE, loads));
        returned.add(submit(door, "cancelled while waiting", DONE, loads));
        returned.get(3).cancel(false);
        holder.complete("done");
        heldBack.remove().run(); // the second has its turn and ends, the third has its turn
        returned.get(2).cancel(false);
        CompletableFuture<String> again = new CompletableFuture<>();
        returned.add(submit(door, "runs again", again, loads));
        returned.add(submit(door, "times out", DONE, loads));
        returned.add(submit(door, "cancelled by hand", DONE, loads));
        door.bulkhead().cancelQueued("cancelled by hand", time.nowMs());
        time.pass(TIMEOUT_MS);
        again.complete("done");
        runHeldBack();
    }

    private static CompletableFuture<String> submit(
            Door door, String requestId, CompletableFuture<String> operation, List<WeakReference<?>> loads) {
        Load load = new Load(operation);
        loads.add(new WeakReference<>(load));
        return door.submit(requestId, load);
    }

    private static boolean isCleared(WeakReference<?> reference) {
        while (!reference.refersTo(null) && !Thread.currentThread().isInterrupted()) { // the time-out interrupts
            System.gc();
        }
        return reference.refersTo(null);
    }
}

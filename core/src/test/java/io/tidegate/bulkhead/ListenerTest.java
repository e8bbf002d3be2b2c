package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListenerTest extends BulkheadTest {
    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-17 callbacks that throw, Errors included, change nothing")
    void listener_throws_changesNothing(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime, new BulkheadListener() {
            @Override
            public void onAdmitted() {
                throw new AssertionError();
            }

            @Override
            public void onRejected() {
                throw new AssertionError();
            }

            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                throw new StackOverflowError();
            }
        });
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);

        assertRefused(bulkhead.submit(CompletableFuture::new));
        operation.complete("done");

        assertThat(returned).isCompletedWithValue("done");
        assertThat(bulkhead.stats()).isEqualTo(new BulkheadStats(2, 1, 1, 1));
        assertThat(errorOf(bulkhead.submit(() -> null))).isInstanceOf(NullPointerException.class);
    }

    @Test
    @DisplayName("AB-17 an InterruptedException that escapes from a callback sets the interrupt flag again")
    void listener_throwsInterrupted_restoresFlag() {
        AsyncBulkhead bulkhead = bulkhead(1, new BulkheadListener() {
            @Override
            public void onAdmitted() {
                throw sneaky(new InterruptedException());
            }

            @Override
            public void onRejected() {
                throw sneaky(new InterruptedException());
            }

            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                throw sneaky(new InterruptedException());
            }
        });
        CompletableFuture<String> operation = new CompletableFuture<>();

        submit(bulkhead, operation);
        assertThat(Thread.interrupted()).as("onAdmitted").isTrue();
        submit(bulkhead, operation);
        assertThat(Thread.interrupted()).as("onRejected").isTrue();
        operation.complete("done");
        assertThat(Thread.interrupted()).as("onReleased").isTrue();
    }

    @Test
    @DisplayName("AB-17 onAdmitted comes before the supplier")
    void onAdmitted_beforeSupplier() {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, listener);

        bulkhead.submit(() -> {
            listener.told.add("supplier");
            return CompletableFuture.completedFuture("done");
        });

        assertThat(listener.told).containsExactly("admitted", "supplier", "SUCCESS");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-17 AB-14 onReleased comes after the permit is back and before the stage is seen as done")
    void onReleased_betweenReleaseAndEnd(PermitLifetime lifetime) {
        AtomicReference<AsyncBulkhead> bulkhead = new AtomicReference<>();
        AtomicReference<CompletableFuture<String>> returned = new AtomicReference<>();
        AtomicInteger inFlight = new AtomicInteger(-1);
        AtomicReference<Boolean> done = new AtomicReference<>();
        bulkhead.set(bulkhead(1, lifetime, new BulkheadListener() {
            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                inFlight.set(bulkhead.get().inFlight());
                done.set(returned.get().isDone());
            }
        }));
        CompletableFuture<String> operation = new CompletableFuture<>();
        returned.set(submit(bulkhead.get(), operation));

        operation.complete("done");

        assertThat(inFlight).hasValue(0);
        assertThat(done).hasValue(false);
        assertThat(returned.get()).isDone();
    }

    @Test
    @DisplayName("AB-17 a callback may submit again")
    void listener_submitsAgain_isAdmitted() {
        AtomicReference<AsyncBulkhead> bulkhead = new AtomicReference<>();
        AtomicInteger again = new AtomicInteger(3);
        AtomicInteger runs = new AtomicInteger();
        bulkhead.set(bulkhead(1, new BulkheadListener() {
            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                if (again.getAndDecrement() > 0) {
                    bulkhead.get().submit(() -> {
                        runs.incrementAndGet();
                        return CompletableFuture.completedFuture("again");
                    });
                }
            }
        }));

        submit(bulkhead.get(), CompletableFuture.completedFuture("first"));

        assertThat(runs).hasValue(3);
    }

    @Test
    @DisplayName("AB-13 AB-17 a callback that blocks holds back the end, not the permit; a loser does not wait for it")
    void listener_blocks_holdsBackEndOnly() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AsyncBulkhead bulkhead = bulkhead(1, new BulkheadListener() {
            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                if (entered.getCount() > 0) {
                    entered.countDown();
                    awaitUninterruptibly(leave);
                }
            }
        });
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);
        Thread winner = new Thread(() -> operation.complete("done"));
        winner.start();
        entered.await();

        assertThat(returned).isNotDone();
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(returned.cancel(true)).isFalse();
        assertThat(submit(bulkhead, CompletableFuture.completedFuture("other"))).isCompletedWithValue("other");

        leave.countDown();
        winner.join();
        assertThat(returned).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("AB-10 AB-17 a callback may obtrude the very future whose end it is told")
    void onReleased_obtrudes_doesNotHang() {
        AtomicReference<CompletableFuture<String>> returned = new AtomicReference<>();
        AsyncBulkhead bulkhead = bulkhead(1, new BulkheadListener() {
            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                returned.get().obtrudeValue("obtruded");
            }
        });
        CompletableFuture<String> operation = new CompletableFuture<>();
        returned.set(submit(bulkhead, operation));

        operation.complete("done");

        assertThat(returned.get()).isCompletedWithValue("obtruded");
    }

    @Test
    void listener_defaults_doNothing() {
        AsyncBulkhead bulkhead = bulkhead(1, new BulkheadListener() {});
        CompletableFuture<String> operation = new CompletableFuture<>();
        submit(bulkhead, operation);
        assertRefused(bulkhead.submit(CompletableFuture::new));
        operation.complete("done");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

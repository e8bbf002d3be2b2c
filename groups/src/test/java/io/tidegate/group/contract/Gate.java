package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Holds tasks until it is opened, and reports which have come and which were interrupted. */
final class Gate {
    private final Semaphore arrivals = new Semaphore(0);
    private final Semaphore interrupts = new Semaphore(0);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** A body that waits here and ends when it is interrupted. */
    <T> Callable<T> holding(T value) {
        return () -> {
            pass();
            return value;
        };
    }

    /** A body that waits here despite interrupts, and then returns as if there had been none. */
    <T> Callable<T> holdingDeaf(T value) {
        return () -> {
            passDeaf();
            return value;
        };
    }

    void pass() throws InterruptedException {
        arrivals.release();
        try {
            opened.await();
        } catch (InterruptedException e) {
            interrupts.release();
            throw e;
        }
    }

    void passDeaf() {
        arrivals.release();
        while (true) {
            try {
                opened.await();
                return;
            } catch (InterruptedException e) {
                interrupts.release();
            }
        }
    }

    void open() {
        opened.countDown();
    }

    void awaitArrival() {
        awaitArrivals(1);
    }

    void awaitArrivals(int count) {
        await(arrivals, count, "arrivals at the gate");
    }

    void awaitInterrupt() {
        await(interrupts, 1, "interrupts at the gate");
    }

    /** How many threads have come without being awaited. */
    int arrivals() {
        return arrivals.availablePermits();
    }

    /** How many threads were interrupted without being awaited. */
    int interrupts() {
        return interrupts.availablePermits();
    }

    private static void await(Semaphore signals, int count, String what) {
        try {
            assertThat(signals.tryAcquire(count, GroupExecutorContract.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("%d %s", count, what)
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for " + what, e);
        }
    }
}

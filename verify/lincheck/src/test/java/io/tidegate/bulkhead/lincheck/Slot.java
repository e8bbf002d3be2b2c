package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.TerminalKind;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One manual operation, its submission, and the listener's calls for it. */
final class Slot {
    /** Finds the slot by the thread, because the listener is called on the thread that causes the end. */
    static final BulkheadListener LISTENER = new BulkheadListener() {
        @Override
        public void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {
            Slot slot = AT_WORK.get();
            slot.reported.add(kind);
        }
    };

    private static final ThreadLocal<Slot> AT_WORK = new ThreadLocal<>();

    private final CompletableFuture<End> operation = new CompletableFuture<>();
    private final RuntimeException failure = new RuntimeException("failed by hand");
    private final List<TerminalKind> reported = new CopyOnWriteArrayList<>();
    private CompletableFuture<End> returned = new CompletableFuture<>();
    private boolean admitted;

    void act(Consumer<Slot> action) {
        AT_WORK.set(this);
        action.accept(this);
    }

    /** Holds the monitor, so that no thread acts on the slot before the caller has its future. */
    synchronized Admission submitTo(AsyncBulkhead bulkhead) {
        if (admitted) {
            return Admission.USED;
        }
        returned = bulkhead.<End>submit(() -> {
                    admitted = true;
                    return operation;
                })
                .toCompletableFuture();
        return admitted ? Admission.ADMITTED : Admission.REFUSED;
    }

    synchronized boolean isAdmitted() {
        return admitted;
    }

    void complete() {
        operation.complete(End.COMPLETED);
    }

    void fail() {
        operation.completeExceptionally(failure);
    }

    void cancel() {
        returned.cancel(false);
    }

    void finish() {
        returned.complete(End.FINISHED);
    }

    CompletableFuture<End> operation() {
        return operation;
    }

    CompletableFuture<End> returned() {
        return returned;
    }

    List<TerminalKind> reported() {
        return List.copyOf(reported);
    }

    void awaitReported() {
        while (reported.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    /** Waits until {@code future} is done. */
    End endOf(CompletableFuture<End> future) {
        try {
            return future.join();
        } catch (CancellationException cancelled) {
            return End.CANCELLED;
        } catch (CompletionException failed) {
            if (failure.equals(failed.getCause())) {
                return End.FAILED;
            }
            throw failed;
        }
    }
}

package io.tidegate.bulkhead;

import io.tidegate.bulkhead.broken.BulkheadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One random script of submissions and ends, played against a bulkhead and against a reference: two counters and a list
 * of the expected callbacks. Compared after every step.
 */
final class ModelRun implements BulkheadListener {
    private static final int SLOTS = 5;

    private final Random random;
    private final int limit;
    private final PermitLifetime lifetime;
    private final AsyncBulkhead bulkhead;
    private final List<String> script = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Slot[] slots = new Slot[SLOTS];

    // The reference.
    private int inFlight;
    private final List<String> expected = new ArrayList<>();

    /** The submission whose future the listener ends in another way while it is called about the first end. */
    private @Nullable Slot meddled;

    private static final class Slot {
        final CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = new CompletableFuture<>();
        boolean followed;
        boolean permit;

        @Nullable
        TerminalKind ended;
    }

    private ModelRun(BulkheadFactory factory, PermitLifetime lifetime, long seed) {
        this.random = new Random(seed);
        this.limit = 1 + random.nextInt(3);
        this.lifetime = lifetime;
        this.bulkhead = factory.create(limit, this);
    }

    static void play(BulkheadFactory factory, PermitLifetime lifetime, long seed, int steps) {
        ModelRun run = new ModelRun(factory, lifetime, seed);
        try {
            for (int i = 0; i < steps; i++) {
                run.step();
                run.compare();
            }
        } catch (AssertionError error) {
            throw new AssertionError(
                    "seed " + seed + ", limit " + run.limit + ", after " + run.script + ": " + error.getMessage(),
                    error);
        }
    }

    private void step() {
        int index = random.nextInt(SLOTS);
        Slot slot = slots[index];
        if (slot == null || (!slot.permit && slot.ended != null)) {
            slots[index] = submit(index);
        } else if (slot.ended != null || random.nextBoolean()) {
            endOperation(index, slot);
        } else {
            endReturned(index, slot);
        }
    }

    private Slot submit(int index) {
        Slot slot = new Slot();
        boolean admitted = inFlight < limit;
        boolean done = random.nextInt(4) == 0;
        if (done) {
            slot.operation.complete("done");
        }
        script.add("submit " + index + (done ? " done" : ""));
        expected.add(admitted ? "admitted" : "rejected");
        if (admitted) {
            inFlight++;
            slot.permit = true;
        }
        if (admitted && done) {
            release(slot, TerminalKind.SUCCESS);
        }
        slot.returned = bulkhead.submit(() -> slot.operation).toCompletableFuture();
        if (!admitted) {
            slot.ended = TerminalKind.FAILURE;
        } else if (done) {
            slot.ended = TerminalKind.SUCCESS;
        } else if (random.nextBoolean()) {
            slot.followed = true;
            slot.returned.whenComplete((value, error) -> submitDone());
        }
        return slot;
    }

    /** What a continuation does: it submits an operation that is already done. */
    private void submitDone() {
        CompletionStage<String> next = bulkhead.submit(() -> CompletableFuture.completedFuture("next"));
        told.add(next.toCompletableFuture().isCompletedExceptionally() ? "continuation refused" : "continuation ran");
    }

    private void expectContinuation(Slot slot) {
        if (slot.followed) {
            boolean admitted = inFlight < limit;
            expected.add(admitted ? "admitted" : "rejected");
            if (admitted) {
                expected.add(TerminalKind.SUCCESS.name());
            }
            expected.add(admitted ? "continuation ran" : "continuation refused");
        }
    }

    private void endOperation(int index, Slot slot) {
        Throwable error = anyError();
        TerminalKind kind = TerminalKind.of(error);
        script.add("end operation " + index + " " + kind);
        boolean open = slot.ended == null;
        if (slot.permit) {
            release(slot, kind);
        }
        if (open) {
            slot.ended = kind;
            expectContinuation(slot);
        }
        meddleWith(slot);
        if (error == null) {
            slot.operation.complete("done");
        } else {
            slot.operation.completeExceptionally(error);
        }
        meddled = null;
    }

    private void endReturned(int index, Slot slot) {
        Throwable error = anyError();
        TerminalKind kind = TerminalKind.of(error);
        script.add("end returned " + index + " " + kind);
        if (lifetime == PermitLifetime.RETURNED_STAGE) {
            release(slot, kind);
        }
        slot.ended = kind;
        expectContinuation(slot);
        meddleWith(slot);
        if (error == null) {
            slot.returned.complete("by hand");
        } else if (error instanceof CancellationException) {
            slot.returned.cancel(true);
        } else {
            slot.returned.completeExceptionally(error);
        }
        meddled = null;
    }

    private void meddleWith(Slot slot) {
        if (lifetime == PermitLifetime.RETURNED_STAGE && random.nextInt(4) == 0) {
            script.add("(meddled with)");
            meddled = slot;
        }
    }

    private @Nullable Throwable anyError() {
        return switch (random.nextInt(5)) {
            case 0 -> new IllegalStateException("failed");
            case 1 -> new CancellationException();
            case 2 -> new CompletionException(new IllegalStateException("failed"));
            default -> null;
        };
    }

    private void release(Slot slot, TerminalKind kind) {
        slot.permit = false;
        inFlight--;
        expected.add(kind.name());
    }

    private void compare() {
        check("told", told, expected);
        check("in flight", bulkhead.inFlight(), inFlight);
        check("available", bulkhead.available(), limit - inFlight);
        for (Slot slot : slots) {
            if (slot != null) {
                check("final state", finalState(slot.returned), slot.ended);
            }
        }
        told.clear();
        expected.clear();
    }

    private static @Nullable TerminalKind finalState(CompletableFuture<?> future) {
        return future.isDone() ? TerminalKind.of(BulkheadTest.errorOf(future)) : null;
    }

    private static void check(String what, @Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new AssertionError(what + ": " + actual + " (expected: " + expected + ")");
        }
    }

    @Override
    public void onAdmitted() {
        told.add("admitted");
    }

    @Override
    public void onRejected() {
        told.add("rejected");
    }

    @Override
    public void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {
        told.add(kind.name());
        Slot slot = meddled;
        if (slot != null) {
            meddled = null;
            slot.returned.completeExceptionally(new IllegalStateException("meddled"));
        }
    }
}

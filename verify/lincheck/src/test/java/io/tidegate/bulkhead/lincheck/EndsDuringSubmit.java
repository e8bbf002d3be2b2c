package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.TerminalKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Operations that end at any time: before their submission, during it, or later.
 *
 * <p>The submit of an operation that has ended takes a permit and gives it back, and other threads may see the instant
 * between the two. So the operations have no answers. The counts must be right when all threads are at rest.
 */
@Param(name = "slot", gen = IntGen.class, conf = "0:2")
public class EndsDuringSubmit {
    private final int limit = Setting.limit;
    private final AsyncBulkhead bulkhead = Setting.factory.create(limit, Slot.LISTENER);
    private final Slot[] slots = {new Slot(), new Slot(), new Slot()};

    @Operation
    public void submit(@Param(name = "slot") int slot) {
        slots[slot].act(it -> it.submitTo(bulkhead));
    }

    @Operation
    public void complete(@Param(name = "slot") int slot) {
        slots[slot].act(Slot::complete);
    }

    @Operation
    public void fail(@Param(name = "slot") int slot) {
        slots[slot].act(Slot::fail);
    }

    @Operation
    public void cancel(@Param(name = "slot") int slot) {
        endReturned(slots[slot], Slot::cancel);
    }

    @Operation
    public void finish(@Param(name = "slot") int slot) {
        endReturned(slots[slot], Slot::finish);
    }

    private static void endReturned(Slot slot, Consumer<Slot> how) {
        if (slot.isAdmitted()) {
            slot.act(how);
        }
    }

    @Validate
    public void atRest() {
        int open = 0;
        for (Slot slot : slots) {
            if (slot.isAdmitted() && !permitHolder(slot).isDone()) {
                open++;
            }
            requireEqual("reported", slot.reported(), due(slot));
        }
        requireEqual("inFlight", bulkhead.inFlight(), open);
        requireEqual("above the limit", Math.max(0, open - limit), 0);
    }

    private List<TerminalKind> due(Slot slot) {
        CompletableFuture<End> holder = permitHolder(slot);
        return slot.isAdmitted() && holder.isDone() ? List.of(slot.endOf(holder).kind) : List.of();
    }

    private static void requireEqual(String what, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new IllegalStateException(what + ": " + actual + " (expected: " + expected + ")");
        }
    }

    /** The future whose end gives the permit back. */
    CompletableFuture<End> permitHolder(Slot slot) {
        return slot.returned();
    }

    /** The same operations under {@code PermitLifetime.OPERATION}. */
    public static class UnderOperation extends EndsDuringSubmit {
        @Override
        CompletableFuture<End> permitHolder(Slot slot) {
            return slot.operation();
        }
    }
}

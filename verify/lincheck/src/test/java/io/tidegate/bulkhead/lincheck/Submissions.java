package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.AsyncBulkhead;
import java.util.List;
import java.util.function.Consumer;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/** Three manual operations in one bulkhead, submitted and ended in every way. */
@Param(name = "slot", gen = IntGen.class, conf = "0:2")
public class Submissions {
    private final AsyncBulkhead bulkhead = Setting.factory.create(Setting.limit, Slot.LISTENER);
    private final Slot[] slots = {new Slot(), new Slot(), new Slot()};

    /** The first slot is in flight from the start. Otherwise most random scenarios would have nothing to end. */
    public Submissions() {
        slots[0].submitTo(bulkhead);
    }

    @Operation
    public Admission submit(@Param(gen = IntGen.class, conf = "1:2") int slot) {
        return slots[slot].submitTo(bulkhead);
    }

    @Operation
    public @Nullable Ending complete(@Param(name = "slot") int slot) {
        return endOperation(slots[slot], Slot::complete);
    }

    @Operation
    public @Nullable Ending fail(@Param(name = "slot") int slot) {
        return endOperation(slots[slot], Slot::fail);
    }

    @Operation
    public @Nullable Ending cancel(@Param(name = "slot") int slot) {
        return endReturned(slots[slot], Slot::cancel);
    }

    @Operation
    public @Nullable Ending finish(@Param(name = "slot") int slot) {
        return endReturned(slots[slot], Slot::finish);
    }

    @Operation
    public int inFlight() {
        return bulkhead.inFlight();
    }

    private @Nullable Ending endOperation(Slot slot, Consumer<Slot> how) {
        if (!slot.isAdmitted()) {
            return null;
        }
        slot.act(how);
        return awaitEnd(slot);
    }

    @Nullable
    Ending endReturned(Slot slot, Consumer<Slot> how) {
        return endOperation(slot, how);
    }

    Ending awaitEnd(Slot slot) {
        return new Ending(slot.endOf(slot.returned()), slot.reported());
    }

    /**
     * The same submissions without a listener. What can still be wrong: which call is admitted, and when a permit is
     * free.
     */
    public static class WithoutListener extends Submissions {
        @Override
        Ending awaitEnd(Slot slot) {
            End end = super.awaitEnd(slot).end();
            return new Ending(end, List.of(end.kind));
        }
    }
}

package io.tidegate.bulkhead.lincheck;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The same submissions under {@code PermitLifetime.OPERATION}: the answers are about the operation's end. */
public class OperationSubmissions extends Submissions {
    @Override
    @Nullable
    Ending endReturned(Slot slot, Consumer<Slot> how) {
        if (slot.isAdmitted()) {
            slot.act(how);
        }
        return null;
    }

    /**
     * A returned future that shows the operation's end shows that the permit is back; one that was ended by hand shows
     * nothing.
     */
    @Override
    Ending awaitEnd(Slot slot) {
        End shown = slot.endOf(slot.returned());
        if (shown == End.CANCELLED || shown == End.FINISHED) {
            slot.awaitReported();
        }
        return new Ending(slot.endOf(slot.operation()), slot.reported());
    }
}

package io.tidegate.jcstress.bulkhead;

import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.TerminalKind;
import org.jspecify.annotations.Nullable;

/** The kinds of the releases reported to the listener, joined by {@code +}: two of them are one too many. */
final class Releases implements BulkheadListener {
    private String reported = "";

    @Override
    public synchronized void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {
        reported = reported.isEmpty() ? kind.name() : reported + "+" + kind;
    }

    synchronized String reported() {
        return reported;
    }
}

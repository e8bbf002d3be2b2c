package io.tidegate.jcstress.bulkhead;

import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.TerminalKind;
import org.jspecify.annotations.Nullable;

/** The kinds of the releases reported to the listener, joined by {@code +}: two of them are one too many. */
final class Releases implements BulkheadListener {
    private String told = "";

    @Override
    public synchronized void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {
        told = told.isEmpty() ? kind.name() : told + "+" + kind;
    }

    synchronized String told() {
        return told;
    }
}

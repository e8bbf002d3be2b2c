package io.tidegate.bulkhead;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the callbacks: "admitted", "rejected", or the kind of a release. */
final class RecordingListener implements BulkheadListener {
    final List<String> told = new CopyOnWriteArrayList<>();
    final List<Throwable> errors = new CopyOnWriteArrayList<>();

    @Override
    public void onAdmitted() {
        told.add("admitted");
    }

    @Override
    public void onRejected() {
        told.add("rejected");
    }

    @Override
    public void onReleased(TerminalKind kind, Throwable errorOrNull) {
        told.add(kind.name());
        if (errorOrNull != null) {
            errors.add(errorOrNull);
        }
    }
}

package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.TerminalKind;

/** The four ways to end a submission. The first end is the one that counts. */
public enum End {
    /** The operation ended with a value. */
    COMPLETED(TerminalKind.SUCCESS),

    /** The operation ended with an error. */
    FAILED(TerminalKind.FAILURE),

    /** The caller cancelled the returned future. */
    CANCELLED(TerminalKind.CANCELLED),

    /** The caller completed the returned future by hand. */
    FINISHED(TerminalKind.SUCCESS);

    final TerminalKind kind;

    End(TerminalKind kind) {
        this.kind = kind;
    }
}

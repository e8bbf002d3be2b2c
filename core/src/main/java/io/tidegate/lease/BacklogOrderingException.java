package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.io.Serial;

/** An offset was asked for while nothing is leased and another one is at the head of the backlog. */
public final class BacklogOrderingException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String domainId;
    private final long expected;
    private final long got;

    public BacklogOrderingException(String domainId, long expected, long got) {
        super("offset: " + got + " (expected: " + expected + ", the head of the backlog of domain "
                + requireNonNull(domainId, "domainId") + ")");
        this.domainId = domainId;
        this.expected = expected;
        this.got = got;
    }

    /** The domain that was asked. */
    public String domainId() {
        return domainId;
    }

    /** The head of the backlog: the offset to ask for. */
    public long expected() {
        return expected;
    }

    /** The offset that was asked for; it was not enqueued. */
    public long got() {
        return got;
    }
}

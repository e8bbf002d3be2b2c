package io.tidegate.testkit;

/** Which leases a {@link LeaseHistory} is about. */
public enum LeaseRules {
    /** Leases without an owner, which only {@code succeed} and {@code fail} end. */
    IN_MEMORY,

    /** Leases of an engine: another owner can take over, and the last finish can be repeated. */
    ENGINE
}

package io.tidegate.remote;

/** What happened. Names are stable: logs, dashboards and audits may rely on them. */
public enum BulkheadEventCode {
    /** A permit was issued. */
    RB_PERMIT_ACQUIRED,

    /** A permit came back. */
    RB_PERMIT_RELEASED,

    /** A request found every permit out. Queued or rejected follows. */
    RB_AT_CAPACITY,

    /** A request began to wait. */
    RB_REQUEST_QUEUED,

    /** A request was refused, expired while waiting, or was cancelled while waiting. */
    RB_REQUEST_REJECTED,

    /** The cap changed. */
    RB_CAP_CHANGED,

    /** Draining began, goes on, or has just refused a request. */
    RB_DRAIN_ACTIVE,

    /** A foreground latency was recorded. */
    RB_LATENCY_REPORT
}

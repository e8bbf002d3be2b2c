package io.tidegate.breaker.lincheck;

import io.tidegate.breaker.broken.BreakerFactory;

/** The breaker of a check, and the state in which the check starts. */
record Setting(BreakerFactory factory, int maxRequests, int failuresToTrip, int successesToClose, Start start) {
    /** The setting of the running check. Static, because Lincheck makes its objects without arguments. */
    static Setting current = new Setting(BreakerFactory.TIDEGATE, 1, 1, 1, Start.CLOSED);
}

package io.tidegate.breaker.lincheck;

import io.tidegate.breaker.broken.BreakerFactory;

/** The breaker that a check is about, and where the check starts. */
record Setting(BreakerFactory factory, int maxRequests, int failuresToTrip, int successesToClose, Start start) {
    /** That of the running check. Static, since Lincheck makes its objects without arguments. */
    static Setting current = new Setting(BreakerFactory.TIDEGATE, 1, 1, 1, Start.CLOSED);
}

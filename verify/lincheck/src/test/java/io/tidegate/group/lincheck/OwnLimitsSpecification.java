package io.tidegate.group.lincheck;

import io.tidegate.group.Permits;

/** The answers of {@link OwnLimits} if one thread does one operation after the other. */
public class OwnLimitsSpecification {
    private final Permits permits = Permits.reference(Setting.shape);

    public String admit(int task) {
        return permits.admit(task);
    }

    public String end(int task) {
        return permits.end(task);
    }

    public String endBody(int task) {
        return permits.endBody(task);
    }

    public String endFlight(int task) {
        return permits.endFlight(task);
    }

    public boolean withdraw(int task) {
        return permits.withdraw(task);
    }

    public String counts(int group) {
        return permits.counts(group);
    }
}

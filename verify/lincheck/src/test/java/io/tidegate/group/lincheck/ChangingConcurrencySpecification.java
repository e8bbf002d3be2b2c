package io.tidegate.group.lincheck;

import io.tidegate.group.Permits;

/** The answers of {@link ChangingConcurrency} if one thread does one operation after the other. */
public class ChangingConcurrencySpecification {
    private final Permits permits = Setting.full(Permits.reference(Setting.shape));

    public String comeOrGo(int task) {
        return permits.comeOrGo(task);
    }

    public boolean withdraw(int task) {
        return permits.withdraw(task);
    }

    public String setConcurrency(int limit) {
        return permits.setConcurrency(0, limit);
    }
}

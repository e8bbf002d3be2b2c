package io.tidegate.group.lincheck;

import io.tidegate.group.Permits;

/** The answers of {@link OnePermit} if one thread does one operation after the other. */
public class OnePermitSpecification {
    private final Permits permits;

    public OnePermitSpecification() {
        this(Permits.reference(Setting.shape));
    }

    private OnePermitSpecification(Permits permits) {
        this.permits = permits;
    }

    public String comeOrGo(int task) {
        return permits.comeOrGo(task);
    }

    public boolean withdraw(int task) {
        return permits.withdraw(task);
    }

    /** The specification of {@link OnePermit.Held}. */
    public static class Held extends OnePermitSpecification {
        public Held() {
            super(Setting.held(Permits.reference(Setting.shape)));
        }
    }

    /** The specification of {@link OnePermit.Taken}. */
    public static class Taken extends OnePermitSpecification {
        public Taken() {
            super(Setting.taken(Permits.reference(Setting.shape)));
        }
    }

    /** The specification of {@link OnePermit.Wanted}. */
    public static class Wanted extends OnePermitSpecification {
        public Wanted() {
            super(Setting.wanted(Permits.reference(Setting.shape)));
        }
    }
}

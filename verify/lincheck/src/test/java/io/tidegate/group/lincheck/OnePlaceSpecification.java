package io.tidegate.group.lincheck;

import io.tidegate.group.Permits;

/** What {@link OnePlace} answers when one thread does one thing after the other. */
public class OnePlaceSpecification {
    private final Permits permits;

    public OnePlaceSpecification() {
        this(Permits.reference(Setting.shape));
    }

    private OnePlaceSpecification(Permits permits) {
        this.permits = permits;
    }

    public String comeOrGo(int task) {
        return permits.comeOrGo(task);
    }

    public boolean withdraw(int task) {
        return permits.withdraw(task);
    }

    /** Of {@link OnePlace.Held}. */
    public static class Held extends OnePlaceSpecification {
        public Held() {
            super(Setting.held(Permits.reference(Setting.shape)));
        }
    }

    /** Of {@link OnePlace.Taken}. */
    public static class Taken extends OnePlaceSpecification {
        public Taken() {
            super(Setting.taken(Permits.reference(Setting.shape)));
        }
    }

    /** Of {@link OnePlace.Wanted}. */
    public static class Wanted extends OnePlaceSpecification {
        public Wanted() {
            super(Setting.wanted(Permits.reference(Setting.shape)));
        }
    }
}

package io.tidegate.group.lincheck;

import io.tidegate.group.BrokenPermits;
import io.tidegate.group.Permits;
import io.tidegate.group.Permits.Shape;
import java.util.function.Function;

/** The permits of the running check. Static, because Lincheck makes its objects without arguments. */
final class Setting {
    /*
     * Two groups that share a threshold and no permits: each step takes effect within one section under its group's
     * lock.
     *
     * Two groups that share one permit: a step takes effect when the permit changes hands, and only the holder of the
     * permit reads the clock that decides whose turn it is. With more common permits the answers would not be exact:
     * the end of a task is visible in its group before its permit is passed on.
     */
    static final Shape OWN_LIMITS = new Shape(0, 1, 1, 2, 1, 4);
    static final Shape ONE_PLACE = new Shape(1, 0, 1, 2, 1, 3);

    private static Function<Shape, Permits> factory = Permits::tidegate;
    static Shape shape = ONE_PLACE;

    private Setting() {}

    static void use(Function<Shape, Permits> newFactory, Shape newShape) {
        factory = newFactory;
        shape = newShape;
    }

    static void use(BrokenPermits broken, Shape newShape) {
        use(any -> Permits.broken(broken, any), newShape);
    }

    static Permits permits() {
        return factory.apply(shape);
    }

    /** The same permits, with one task that has the permit. */
    static Permits held(Permits permits) {
        permits.comeOrGo(0);
        return permits;
    }

    /** The same permits, with one task that has the permit, and one of the other group that waits for it. */
    static Permits taken(Permits permits) {
        permits.comeOrGo(0);
        permits.comeOrGo(1);
        return permits;
    }

    /**
     * The same permits, with one task that has the permit, and one of its own group that has waited longer than one of
     * the other group.
     */
    static Permits wanted(Permits permits) {
        permits.comeOrGo(0);
        permits.comeOrGo(2);
        permits.comeOrGo(1);
        return permits;
    }

    /** The same permits, with one task that runs, and one of its group that waits. */
    static Permits full(Permits permits) {
        permits.comeOrGo(0);
        permits.comeOrGo(2);
        return permits;
    }
}

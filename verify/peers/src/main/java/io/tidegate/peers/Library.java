package io.tidegate.peers;

import io.tidegate.peers.Composition.Parts;
import java.util.List;

/** The libraries, in the order of the table's columns. */
enum Library {
    TIDEGATE("Tidegate"),
    RESILIENCE4J("resilience4j"),
    FAILSAFE("Failsafe"),
    SMALLRYE("SmallRye"),
    SENTINEL("Sentinel");

    /** The libraries that put several parts around a call. */
    static final List<Library> COMPOSING = List.of(TIDEGATE, RESILIENCE4J, FAILSAFE, SMALLRYE);

    private final String title;

    Library(String title) {
        this.title = title;
    }

    /** Returns the name in {@code versions.properties}. */
    String title() {
        return title;
    }

    LibraryBreaker newBreaker() {
        return switch (this) {
            case TIDEGATE -> new Tidegate();
            case RESILIENCE4J -> new Resilience4j();
            case FAILSAFE -> new FailsafeBreaker();
            case SMALLRYE -> new SmallRye();
            case SENTINEL -> new Sentinel();
        };
    }

    Composition compose(Parts parts) {
        return switch (this) {
            case TIDEGATE -> new TidegateGuard(parts);
            case RESILIENCE4J -> new Resilience4jDecorators(parts);
            case FAILSAFE -> new FailsafePolicies(parts);
            case SMALLRYE -> new SmallRyeGuard(parts);
            case SENTINEL -> throw new UnsupportedOperationException("composes nothing");
        };
    }
}

package io.tidegate.peers;

/** The libraries, in the order of the table's columns. */
enum Library {
    TIDEGATE("Tidegate"),
    RESILIENCE4J("resilience4j"),
    FAILSAFE("Failsafe"),
    SMALLRYE("SmallRye"),
    SENTINEL("Sentinel");

    private final String title;

    Library(String title) {
        this.title = title;
    }

    /** As in {@code versions.properties}. */
    String title() {
        return title;
    }

    Subject newBreaker() {
        return switch (this) {
            case TIDEGATE -> new Tidegate();
            case RESILIENCE4J -> new Resilience4j();
            case FAILSAFE -> new FailsafeBreaker();
            case SMALLRYE -> new SmallRye();
            case SENTINEL -> new Sentinel();
        };
    }
}

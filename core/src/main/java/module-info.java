/** Tidegate's parts that need nothing but the JDK. */
module io.tidegate.core {
    requires static org.jspecify;

    exports io.tidegate;
    exports io.tidegate.breaker;
    exports io.tidegate.bulkhead;
    exports io.tidegate.cluster;
    exports io.tidegate.lease;
    exports io.tidegate.remote;
}

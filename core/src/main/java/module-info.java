/** Tidegate's parts that need nothing but the JDK. */
@SuppressWarnings("module") // those that it exports to are compiled after this
module io.tidegate.core {
    requires jdk.jfr;
    requires static org.jspecify;

    exports io.tidegate;
    exports io.tidegate.adaptive;
    exports io.tidegate.breaker;
    exports io.tidegate.bulkhead;
    exports io.tidegate.cluster;
    exports io.tidegate.guard;
    exports io.tidegate.lease;
    exports io.tidegate.measure to
            io.tidegate.groups,
            io.tidegate.jdbc,
            io.tidegate.redis;
    exports io.tidegate.rate;
    exports io.tidegate.remote;
    exports io.tidegate.retry;
    exports io.tidegate.stage to
            io.tidegate.groups;
}

/** Tidegate's group executor. */
module io.tidegate.groups {
    requires transitive io.tidegate.core;
    requires static org.jspecify;

    exports io.tidegate.group;
}

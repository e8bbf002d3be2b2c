/** Tidegate's group executor. */
module io.tidegate.groups {
    requires static org.jspecify;

    exports io.tidegate.group;
}

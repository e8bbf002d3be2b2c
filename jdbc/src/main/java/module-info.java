/** Tidegate's work lease on a database, for many processes. */
module io.tidegate.jdbc {
    requires transitive io.tidegate.core;
    requires transitive java.sql;
    requires static org.jspecify;

    exports io.tidegate.jdbc;
}

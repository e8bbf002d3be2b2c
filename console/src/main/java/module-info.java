/** A live page of Tidegate's parts. */
module io.tidegate.console {
    requires transitive io.tidegate.core;
    requires com.fasterxml.jackson.core;
    requires jdk.httpserver;
    requires static io.tidegate.groups;
    requires static org.jspecify;

    exports io.tidegate.console;
}

/** Checks for tests of programs that use Tidegate. */
module io.tidegate.testkit {
    requires transitive io.tidegate.core;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports io.tidegate.testkit;
}

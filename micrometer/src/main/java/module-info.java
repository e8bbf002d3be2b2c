/** The measures of Tidegate's parts as meters of Micrometer. */
@SuppressWarnings(
        "requires-transitive-automatic") // Micrometer has no descriptor, and its registries are part of the API
module io.tidegate.micrometer {
    requires transitive io.tidegate.core;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports io.tidegate.micrometer;
}

/** Tidegate's work lease on Redis or Valkey. */
@SuppressWarnings("requires-transitive-automatic") // Lettuce has no descriptor, and its connections are part of the API
module io.tidegate.redis {
    requires transitive io.tidegate.core;
    requires transitive lettuce.core;
    requires static org.jspecify;

    exports io.tidegate.redis;
}

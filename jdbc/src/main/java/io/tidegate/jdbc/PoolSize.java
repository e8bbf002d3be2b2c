package io.tidegate.jdbc;

import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** Reads the greatest number of connections from a pool that reports it. */
final class PoolSize {
    /** The methods of HikariCP, Commons DBCP, Tomcat and c3p0. */
    private static final List<String> METHODS =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

    private PoolSize() {}

    static OptionalInt of(DataSource pool) {
        return METHODS.stream()
                .map(method -> ask(pool, method))
                .filter(OptionalInt::isPresent)
                .findFirst()
                .orElse(OptionalInt.empty());
    }

    /* A number that is not positive means no limit. */
    private static OptionalInt ask(DataSource pool, String method) {
        try {
            return pool.getClass().getMethod(method).invoke(pool) instanceof Integer most && most > 0
                    ? OptionalInt.of(most)
                    : OptionalInt.empty();
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            return OptionalInt.empty();
        }
    }
}

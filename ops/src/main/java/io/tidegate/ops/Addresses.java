package io.tidegate.ops;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.tidegate.jdbc.JdbcLeaseException;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.redis.RedisWorkLease;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens the store at an address. */
final class Addresses {
    static final String USER = "TIDEGATE_USER";
    static final String PASSWORD = "TIDEGATE_PASSWORD";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String EXPECTED = "jdbc:postgresql://…, jdbc:mariadb://…, jdbc:h2:…, redis://… or rediss://…";

    private final Map<String, String> environment;
    private final String folder;
    private final Function<String, Optional<String>> askPassword;

    /**
     * Of a command.
     *
     * @param folder that it was called in, from which paths lead on
     * @param askPassword of this user, if there is somebody to ask
     */
    Addresses(Map<String, String> environment, String folder, Function<String, Optional<String>> askPassword) {
        this.environment = environment;
        this.folder = folder;
        this.askPassword = askPassword;
    }

    Store open(Options options) {
        String address = options.required("store", "jdbc:postgresql://localhost/shop");
        String name = options.required("name", "orders");
        if (PasswordCheck.findsOneIn(address)) {
            throw new Misuse("--store: has a password, which others on this machine can see (expected: none; set "
                    + PASSWORD + ", or give --user and be asked)");
        }
        boolean isRedis = address.startsWith("redis://") || address.startsWith("rediss://");
        boolean isDatabase = address.matches("jdbc:(postgresql|mariadb|h2):.*");
        if (!isRedis && !isDatabase) {
            throw new Misuse("--store: '" + Text.visible(address) + "' (expected: " + EXPECTED + ")");
        }
        if (isDatabase && options.has("prefix")) {
            throw new Misuse("--prefix: given (expected: only with Redis)");
        }
        String user = options.value("user").orElse(environment.get(USER));
        String password = Optional.ofNullable(environment.get(PASSWORD))
                .or(() -> user == null ? Optional.empty() : askPassword.apply(user))
                .orElse(null);
        return isRedis
                ? openRedis(
                        address, name, options.value("prefix").orElse(RedisWorkLease.DEFAULT_PREFIX), user, password)
                : openDatabase(address, name, user, password);
    }

    // ---- databases ----

    private Store openDatabase(String address, String name, @Nullable String user, @Nullable String password) {
        Properties login = new Properties();
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        Connection connection;
        try {
            DriverManager.setLoginTimeout((int) PATIENCE.toSeconds());
            connection = DriverManager.getConnection(forOperators(address), login);
        } catch (SQLException failed) {
            throw notReached(failed, failed);
        }
        try {
            return new Store(JdbcWorkLease.builder(source(connection), name, 0).build(), () -> close(connection));
        } catch (JdbcLeaseException | IllegalArgumentException unfit) {
            close(connection);
            throw unfit instanceof JdbcLeaseException ? unfit : new Misuse("--name: " + unfit.getMessage());
        }
    }

    /* H2 would make a database that is not there, and must not lose what it has answered. */
    private String forOperators(String address) {
        if (!address.startsWith("jdbc:h2:")) {
            return address;
        }
        String settings = address.toUpperCase(Locale.ROOT);
        return address.replaceFirst("^jdbc:h2:(file:)?(?=[.])", "jdbc:h2:" + Matcher.quoteReplacement(folder) + "/")
                + (settings.contains(";IFEXISTS=") ? "" : ";IFEXISTS=TRUE")
                + (settings.contains(";WRITE_DELAY=") ? "" : ";WRITE_DELAY=0");
    }

    /* One for all that is done: some commands are a transaction for each domain. */
    private static DataSource source(Connection connection) {
        Connection kept = proxy(
                Connection.class,
                (self, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return proxy(DataSource.class, (self, method, arguments) -> kept);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(
                Addresses.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return calls.invoke(self, method, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    @SuppressWarnings("EmptyCatch") // it is not needed any more, whatever its state
    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            // nobody uses it any more
        }
    }

    // ---- Redis ----

    private static Store openRedis(
            String address, String name, String prefix, @Nullable String user, @Nullable String password) {
        RedisURI server = server(address, user, password);
        RedisClient client = RedisClient.create(server);
        try {
            StatefulRedisConnection<String, String> connection = client.connect();
            if (connection.sync().info("cluster").contains("cluster_enabled:1")) {
                client.shutdown(Duration.ZERO, PATIENCE);
                return openCluster(server, name, prefix);
            }
            return new Store(
                    built(RedisWorkLease.builder(connection, name, 0), prefix),
                    () -> client.shutdown(Duration.ZERO, PATIENCE));
        } catch (RedisException failed) {
            client.shutdown(Duration.ZERO, PATIENCE);
            throw notReached(failed);
        }
    }

    private static Store openCluster(RedisURI server, String name, String prefix) {
        RedisClusterClient client = RedisClusterClient.create(server);
        try {
            return new Store(
                    built(RedisWorkLease.builder(client.connect(), name, 0), prefix),
                    () -> client.shutdown(Duration.ZERO, PATIENCE));
        } catch (RedisException failed) {
            client.shutdown(Duration.ZERO, PATIENCE);
            throw notReached(failed);
        }
    }

    private static RedisURI server(String address, @Nullable String user, @Nullable String password) {
        try {
            RedisURI.Builder server = RedisURI.builder(RedisURI.create(address)).withTimeout(PATIENCE);
            if (user != null) {
                server.withAuthentication(user, password == null ? "" : password);
            } else if (password != null) {
                server.withPassword(password.toCharArray());
            }
            return server.build();
        } catch (IllegalArgumentException unreadable) {
            throw new Misuse("--store: " + unreadable.getMessage() + " (expected: such as redis://localhost:6379)");
        }
    }

    private static SharedWorkLease built(RedisWorkLease.Builder builder, String prefix) {
        try {
            return builder.prefix(prefix).build();
        } catch (IllegalArgumentException unfit) {
            throw new Misuse("--prefix: " + unfit.getMessage());
        }
    }

    private static NotReached notReached(RedisException failed) {
        return notReached(failed.getCause() == null ? failed : failed.getCause(), failed);
    }

    private static NotReached notReached(Throwable why, Exception failed) {
        return new NotReached(
                why.getMessage() + " (expected: one that is there and lets this user in: see --store, --user and "
                        + PASSWORD + ")",
                failed);
    }
}

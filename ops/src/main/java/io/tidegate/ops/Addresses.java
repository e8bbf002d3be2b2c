package io.tidegate.ops;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.tidegate.jdbc.JdbcLeaseException;
import io.tidegate.jdbc.JdbcWorkLease;
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
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens the store at an address. */
final class Addresses {
    static final String USER = "TIDEGATE_USER";
    static final String PASSWORD = "TIDEGATE_PASSWORD";

    /** How long a store may take until its first answer. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /* The longest name of a domain that the tables have room for. */
    private static final int LONGEST_DOMAIN = 500;
    /* H2's states for an address that it cannot read: format, unknown setting, setting given twice, relative path. */
    private static final Set<String> UNREADABLE = Set.of("90046", "90113", "90066", "90011");
    private static final String EXPECTED = "jdbc:postgresql://…, jdbc:mariadb://…, jdbc:h2:…, redis://… or rediss://…";

    private final Map<String, String> environment;
    private final String folder;
    private final Duration patience;
    private final Function<String, Optional<String>> askPassword;

    /**
     * Opens the addresses of a command.
     *
     * @param folder that it was called in, from which relative paths start
     * @param patience with a store that does not answer, in whole seconds
     * @param askPassword asks for the password of this user, if a person can be asked
     */
    Addresses(
            Map<String, String> environment,
            String folder,
            Duration patience,
            Function<String, Optional<String>> askPassword) {
        this.environment = environment;
        this.folder = folder;
        this.patience = patience;
        this.askPassword = askPassword;
    }

    /** Opens the store, after all checks that need no connection. */
    Store open(Options options) {
        String address = options.required("store", "jdbc:postgresql://localhost/shop");
        String name = options.required("name", "orders");
        if (PasswordCheck.findsOneIn(address)) {
            throw new Misuse("--store: contains a password, which others on this machine can see (expected: none; set "
                    + PASSWORD + ", or use --user and enter it)");
        }
        if (address.startsWith("redis://") || address.startsWith("rediss://")) {
            String prefix = options.value("prefix").orElse(RedisWorkLease.DEFAULT_PREFIX);
            RedisURI server = server(address);
            checkOnRedis(name, prefix);
            return openRedis(withLogin(server, login(options)), name, prefix);
        }
        if (address.matches("jdbc:(postgresql|mariadb|h2):.*")) {
            checkInDatabase(address, name, options);
            return openDatabase(address, name, login(options));
        }
        throw new Misuse("--store: '" + OutputText.visible(address) + "' (expected: " + EXPECTED + ")");
    }

    private record Login(@Nullable String user, @Nullable String password) {}

    private Login login(Options options) {
        String user = options.value("user").orElse(environment.get(USER));
        String password = Optional.ofNullable(environment.get(PASSWORD))
                .or(() -> user == null ? Optional.empty() : askPassword.apply(user))
                .orElse(null);
        return new Login(user, password);
    }

    /* Lets a builder check a value. Builders check values before they connect to anything. */
    private static void checkFits(String option, Runnable building) {
        try {
            building.run();
        } catch (IllegalArgumentException unfit) {
            throw new Misuse(option + ": " + unfit.getMessage());
        }
    }

    // ---- databases ----

    private static void checkInDatabase(String address, String name, Options options) {
        if (options.has("prefix")) {
            throw new Misuse("--prefix: given (expected: only with Redis)");
        }
        DataSource nothing = proxy(DataSource.class, (self, method, arguments) -> null);
        checkFits("--name", () -> JdbcWorkLease.builder(nothing, name, 0));
        Stream.concat(options.domain().stream(), options.value("after").stream())
                .filter(domain -> domain.length() > LONGEST_DOMAIN)
                .findFirst()
                .ifPresent(domain -> {
                    throw new Misuse(
                            "DOMAIN: " + domain.length() + " characters (expected: <= " + LONGEST_DOMAIN + ")");
                });
        try {
            DriverManager.getDriver(address).getPropertyInfo(address, new Properties());
        } catch (SQLException unreadable) {
            throw unreadable(address, unreadable);
        }
    }

    private static Misuse unreadable(String address, Exception why) {
        return new Misuse("--store: '" + OutputText.visible(address) + "': " + why.getMessage() + " (expected: "
                + EXPECTED + ")");
    }

    private Store openDatabase(String address, String name, Login by) {
        Properties login = new Properties();
        if (by.user != null) {
            login.setProperty("user", by.user);
        }
        if (by.password != null) {
            login.setProperty("password", by.password);
        }
        if (address.startsWith("jdbc:postgresql:")) {
            // This driver does not read the time-out from the DriverManager.
            login.setProperty("loginTimeout", Long.toString(patience.toSeconds()));
        }
        Connection connection;
        try {
            DriverManager.setLoginTimeout((int) patience.toSeconds());
            connection = DriverManager.getConnection(forOperators(address), login);
        } catch (SQLException failed) {
            throw isH2(address) && UNREADABLE.contains(failed.getSQLState())
                    ? unreadable(address, failed)
                    : notReached(failed, failed);
        }
        try {
            return new Store(JdbcWorkLease.builder(source(connection), name, 0).build(), () -> close(connection));
        } catch (JdbcLeaseException | IllegalArgumentException unfit) {
            close(connection);
            throw unfit;
        }
    }

    private static boolean isH2(String address) {
        return address.startsWith("jdbc:h2:");
    }

    /* H2 must not create a missing database, and must not lose a change that it has acknowledged. */
    private String forOperators(String address) {
        if (!isH2(address)) {
            return address;
        }
        String settings = address.toUpperCase(Locale.ROOT);
        return address.replaceFirst("^jdbc:h2:(file:)?(?=[.])", "jdbc:h2:" + Matcher.quoteReplacement(folder) + "/")
                + (settings.contains(";IFEXISTS=") ? "" : ";IFEXISTS=TRUE")
                + (settings.contains(";WRITE_DELAY=") ? "" : ";WRITE_DELAY=0");
    }

    /* A source of one connection for the whole command: some commands are a transaction for each domain. */
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

    @SuppressWarnings("EmptyCatch") // the connection is no longer needed, whatever its state
    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            // the connection is no longer used
        }
    }

    // ---- Redis ----

    private static void checkOnRedis(String name, String prefix) {
        @SuppressWarnings("unchecked")
        StatefulRedisConnection<String, String> nothing =
                proxy(StatefulRedisConnection.class, (self, method, arguments) -> null);
        checkFits("--name", () -> RedisWorkLease.builder(nothing, name, 0));
        checkFits("--prefix", () -> RedisWorkLease.builder(nothing, name, 0).prefix(prefix));
    }

    private Store openRedis(RedisURI server, String name, String prefix) {
        RedisClient client = RedisClient.create(server);
        try {
            StatefulRedisConnection<String, String> connection = client.connect();
            if (connection.sync().info("cluster").contains("cluster_enabled:1")) {
                client.shutdown(Duration.ZERO, patience);
                return openCluster(server, name, prefix);
            }
            return new Store(
                    RedisWorkLease.builder(connection, name, 0).prefix(prefix).build(),
                    () -> client.shutdown(Duration.ZERO, patience));
        } catch (RedisException failed) {
            client.shutdown(Duration.ZERO, patience);
            throw notReached(failed);
        }
    }

    private Store openCluster(RedisURI server, String name, String prefix) {
        RedisClusterClient client = RedisClusterClient.create(server);
        try {
            return new Store(
                    RedisWorkLease.builder(client.connect(), name, 0)
                            .prefix(prefix)
                            .build(),
                    () -> client.shutdown(Duration.ZERO, patience));
        } catch (RedisException failed) {
            client.shutdown(Duration.ZERO, patience);
            throw notReached(failed);
        }
    }

    private static RedisURI server(String address) {
        try {
            RedisURI server = RedisURI.create(address);
            String host = server.getHost();
            if (host != null && host.contains(":") && host.indexOf(':') == host.lastIndexOf(':')) {
                throw new IllegalArgumentException("no port in " + host);
            }
            return server;
        } catch (IllegalArgumentException unreadable) {
            throw new Misuse("--store: " + unreadable.getMessage() + " (expected: such as redis://localhost:6379)");
        }
    }

    private RedisURI withLogin(RedisURI address, Login by) {
        RedisURI.Builder server = RedisURI.builder(address).withTimeout(patience);
        if (by.user != null) {
            server.withAuthentication(by.user, by.password == null ? "" : by.password);
        } else if (by.password != null) {
            server.withPassword(by.password.toCharArray());
        }
        return server.build();
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

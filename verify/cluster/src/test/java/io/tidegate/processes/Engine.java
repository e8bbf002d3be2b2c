package io.tidegate.processes;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisLoadingException;
import io.tidegate.jdbc.JdbcLeaseException;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.redis.RedisUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** The engines that keep leases. */
enum Engine {
    POSTGRES(0, 2) {
        @Override
        Server start(Path folder) throws IOException {
            return new RealPostgres(folder);
        }

        @Override
        Client connect(Order order) {
            return new PostgresClient(order);
        }

        @Override
        boolean isAway(RuntimeException thrown) {
            return thrown instanceof Books.Away
                    || (thrown instanceof JdbcLeaseException failed && AWAY.contains(failed.reason()));
        }
    },
    MARIADB(4, 1) {
        @Override
        Server start(Path folder) throws IOException {
            return new RealMariaDb(folder);
        }

        @Override
        Client connect(Order order) {
            return new MariaDbClient(order);
        }

        @Override
        boolean isAway(RuntimeException thrown) {
            return POSTGRES.isAway(thrown);
        }
    },
    REDIS(2, 2) {
        @Override
        Server start(Path folder) throws IOException {
            return new RealRedis(folder);
        }

        @Override
        Client connect(Order order) {
            return new RedisStoreClient(order);
        }

        @Override
        boolean isAway(RuntimeException thrown) {
            Throwable cause = thrown instanceof RedisUnavailableException ? thrown.getCause() : thrown;
            boolean isRefusal =
                    cause instanceof RedisCommandExecutionException && !(cause instanceof RedisLoadingException);
            return cause instanceof RedisException && !isRefusal;
        }
    };

    private static final int SHARES = 5;

    private static final Set<Reason> AWAY = Set.of(Reason.AWAY, Reason.NO_CONNECTION, Reason.LOCKED, Reason.BUSY);

    private final int firstShare;
    private final int shares;

    Engine(int firstShare, int shares) {
        this.firstShare = firstShare;
        this.shares = shares;
    }

    /** Returns this engine's share of so many seeds. */
    List<Long> seeds(long all) {
        return LongStream.rangeClosed(1 + all * firstShare / SHARES, all * (firstShare + shares) / SHARES)
                .boxed()
                .toList();
    }

    /** Starts a server that keeps its data in this folder. */
    abstract Server start(Path folder) throws IOException;

    /** Connects as an order says. Throws what the engine's library throws if the server cannot be reached. */
    abstract Client connect(Order order);

    /** Whether the error means that the server could not be reached, or did not answer. Faults cause such errors. */
    abstract boolean isAway(RuntimeException thrown);
}

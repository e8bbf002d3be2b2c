package io.tidegate.cluster;

import io.lettuce.core.RedisException;
import io.tidegate.jdbc.JdbcLeaseException;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.redis.RedisUnavailableException;
import java.io.IOException;
import java.nio.file.Path;

/** What keeps the leases. */
enum Engine {
    POSTGRES {
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
            return thrown instanceof JdbcLeaseException failed
                    && (failed.reason() == Reason.AWAY || failed.reason() == Reason.BUSY);
        }
    },
    REDIS {
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
            return thrown instanceof RedisUnavailableException || thrown instanceof RedisException;
        }
    };

    /** A server that keeps its data in this folder. */
    abstract Server start(Path folder) throws IOException;

    /** What an order tells to use. Throws what the engine's library throws if the server cannot be reached. */
    abstract Client connect(Order order);

    /** Whether it says that the server could not be asked, or did not answer: what is to be expected among faults. */
    abstract boolean isAway(RuntimeException thrown);
}

package io.tidegate.bench.engines;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.bench.engines.LeaseWay.Manner;
import io.tidegate.cluster.CapStore;
import io.tidegate.redis.RedisCapStore;
import io.tidegate.redis.RedisWorkLease;
import io.tidegate.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redis, with its file. */
final class Redis implements Engine {
    private static final String VERSION = "redis_version:";

    private final TemporaryFolder folder = new TemporaryFolder();
    private final int port;
    private final RedisServer server;
    private final String name;
    private final String durability;

    /** @param appendFsync when the file is forced to the disk, as Redis calls it */
    Redis(String appendFsync) {
        try {
            port = PORTS.next();
            server = new RedisServer(folder.path(), port, "appendfsync " + appendFsync);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        try (RedisClient client = RedisClient.create(address(port));
                StatefulRedisConnection<String, String> connection = client.connect()) {
            String set = connection.sync().configGet("appendfsync").get("appendfsync");
            name = "Redis " + version(connection.sync().info("server"));
            durability = "appendonly yes, appendfsync " + set;
        }
    }

    private static String version(String info) {
        return info.lines()
                .filter(line -> line.startsWith(VERSION))
                .map(line -> line.substring(VERSION.length()).trim())
                .findFirst()
                .orElse("?");
    }

    static String address(int port) {
        return "redis://" + RedisServer.HOST + ":" + port;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String durability() {
        return durability;
    }

    @Override
    public OptionalInt port() {
        return OptionalInt.of(port);
    }

    @Override
    public Contest connect(int usedPort) {
        RedisClient client = RedisClient.create(address(usedPort));
        StatefulRedisConnection<String, String> connection = client.connect();
        RedissonClient redisson = Redisson.create(config(usedPort));
        List<RedisWorkLease> owners = Stream.generate(
                        () -> RedisWorkLease.builder(connection, "orders", 3).build())
                .limit(Throughput.MOST_WORKERS)
                .toList();
        List<Way> ways = List.of(
                new IncrementsWay(connection, 2),
                new FencedLockWay(redisson),
                new LeaseWay(owners, Manner.EACH, 1),
                new LeaseWay(owners, Manner.EACH, 10),
                new LeaseWay(owners, Manner.EACH, 50),
                new LeaseWay(owners, Manner.GAPS, 1),
                new LeaseWay(owners, Manner.NEXT, 1));
        return new OpenContest(ways, LeaseWay::load, () -> {
            redisson.shutdown();
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        });
    }

    @Override
    public Contest connectToClaim(List<Integer> members) {
        RedisClient client = RedisClient.create(address(port));
        StatefulRedisConnection<String, String> connection = client.connect();
        CapStore store = RedisCapStore.of(connection);
        List<Way> ways = new ArrayList<>(List.of(new IncrementsWay(connection, 1)));
        members.forEach(many -> ways.add(new ClaimsWay(store, many)));
        return new OpenContest(
                ways, (none, domains) -> {}, () -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
    }

    private static Config config(int port) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(address(port))
                .setConnectionPoolSize(Database.POOL_SIZE)
                .setConnectionMinimumIdleSize(Database.POOL_SIZE);
        return config;
    }

    @Override
    public void close() {
        try (folder) {
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

package io.tidegate.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.remote.CapStore;
import io.tidegate.testkit.CapStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** What every store of shared caps must do, on a real server. */
class RedisCapStoreTest extends CapStoreContract {
    private static final String SLICES = "tidegate:{pay}:slices";
    private static final int FIRST_TIME = 5;

    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    @Override
    protected CapStore open() {
        connection.sync().flushall();
        return RedisCapStore.of(connection);
    }

    /** All times there are become earlier, which is the same. */
    @Override
    protected void pass(long millis) {
        for (Map.Entry<String, String> member :
                connection.sync().hgetall(SLICES).entrySet()) {
            String[] words = member.getValue().split(" ", -1);
            for (int i = FIRST_TIME; i < words.length; i++) {
                words[i] = Long.toString(Long.parseLong(words[i]) - millis);
            }
            connection.sync().hset(SLICES, member.getKey(), String.join(" ", words));
        }
    }
}

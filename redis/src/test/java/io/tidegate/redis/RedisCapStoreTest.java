package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.tidegate.cluster.CapStore;
import io.tidegate.relay.ClaimBuilder;
import io.tidegate.testkit.CapStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store of shared caps must do, on a real server. */
class RedisCapStoreTest extends CapStoreContract {
    private static final String SLICES = "tidegate:{pay}:slices";
    private static final String SUMS = "tidegate:{pay}:sums";
    private static final int FIRST_TIME = 5;
    private static final int LAST_TIME = 7;
    private static final int COUNT_AT = 3;

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

    @Test
    @DisplayName("a member of the version before keeps its slice until its lease ends")
    void claim_besideMemberOfTheVersionBefore_leavesItsSlice() {
        CapStore store = open();
        long until = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
        connection.sync().hset(SLICES, "old", "3 2 2 2 1000 " + until);

        assertThat(store.claim(ClaimBuilder.of("pay", "new").firstCap(7).need(7).made())
                        .granted())
                .isEqualTo(5);
        assertThat(store.inspect("pay").orElseThrow().members()).hasSize(2);
    }

    /** Makes all stored times earlier, which has the same effect. */
    @Override
    protected void pass(long millis) {
        for (Map.Entry<String, String> member :
                connection.sync().hgetall(SLICES).entrySet()) {
            String[] words = member.getValue().split(" ", -1);
            for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
                words[i] = Long.toString(Long.parseLong(words[i]) - millis);
            }
            connection.sync().hset(SLICES, member.getKey(), String.join(" ", words));
        }
        String sums = connection.sync().get(SUMS);
        if (sums != null) {
            String[] words = sums.split(" ", -1);
            words[COUNT_AT] = Long.toString(Long.parseLong(words[COUNT_AT]) - millis);
            connection.sync().set(SUMS, String.join(" ", words));
        }
    }
}

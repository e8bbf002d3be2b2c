package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.tidegate.lease.WorkLease;
import io.tidegate.testkit.LeaseBreach;
import io.tidegate.testkit.LeaseHistory;
import io.tidegate.testkit.LeaseRules;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several owners whose leases run out all the time: all they were told must have an explanation. */
@Timeout(120)
class RedisHistoryTest {
    private static final int OWNERS = 3;
    private static final int STEPS = 250;
    private static final int SEEDS = 3;

    /** Scripts with one fault each. */
    enum Broken {
        SAME_FENCE("math.max((get('fence') or 0) + 1, instant)", "get('fence') or instant"),
        LAST_COMES_FIRST("'RPUSH'", "'LPUSH'"),
        ANY_TOKEN("live ~= token", "false"),
        SUCCESS_NOT_KEPT("remember(get('place'))", ""),
        FAILURE_NOT_KEPT("redis.call('SADD', failed, offset)", "");

        private final String right;
        private final String wrong;

        Broken(String right, String wrong) {
            this.right = right;
            this.wrong = wrong;
        }

        String in(String script) {
            return script.replace(right, wrong);
        }
    }

    @TempDir
    static Path folder;

    private static RealRedis redis;
    private static StatefulRedisConnection<String, String> connection;
    private static int stores;

    @BeforeAll
    static void startServer() throws IOException {
        redis = new RealRedis(folder);
        connection = redis.connect();
    }

    @AfterAll
    static void stopServer() throws IOException {
        redis.close();
    }

    @Test
    @DisplayName("WL-11 WL-20 WL-21 WL-22 the history of several owners has nothing wrong with it")
    void manyOwners_recorded_nothingWrong() {
        for (int seed = 0; seed < SEEDS; seed++) {
            LeaseHistory history = play(connection.async(), seed);
            assertThat(history.check(LeaseRules.ENGINE)).as("seed %d", seed).isEmpty();
            assertThat(history.lines())
                    .as("leases met and ran out")
                    .anyMatch(line -> line.contains("HELD_ELSEWHERE"))
                    .anyMatch(line -> line.contains("TOKEN_MISMATCH"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a fault in the scripts is found")
    void manyOwners_brokenScripts_areCaught(Broken broken) {
        assertThat(LeaseScript.values()).anyMatch(script -> script.text().contains(broken.right));
        RedisScriptingAsyncCommands<String, String> commands = altered(broken::in);
        Optional<LeaseBreach> breach = Optional.empty();
        for (int seed = 0; seed < 10 * SEEDS && breach.isEmpty(); seed++) {
            breach = play(commands, seed).check(LeaseRules.ENGINE);
        }
        assertThat(breach).isPresent();
    }

    private static LeaseHistory play(RedisScriptingAsyncCommands<String, String> commands, long seed) {
        String prefix = "store" + stores++;
        LeaseHistory history = new LeaseHistory();
        List<CompletableFuture<Void>> owners = new ArrayList<>();
        for (int i = 0; i < OWNERS; i++) {
            WorkLease lease =
                    history.recording(new RedisLeaseBuilder(new ScriptCalls(commands, connection::getTimeout), 2)
                            .prefix(prefix)
                            .owner("owner" + i)
                            .duration(Duration.ofMillis(2))
                            .build());
            Worker worker = new Worker(lease, seed * OWNERS + i);
            owners.add(CompletableFuture.runAsync(() -> worker.run(STEPS), task -> new Thread(task).start()));
        }
        owners.forEach(CompletableFuture::join);
        return history;
    }

    /** The commands, with another text for the scripts. */
    @SuppressWarnings("unchecked")
    private static RedisScriptingAsyncCommands<String, String> altered(UnaryOperator<String> text) {
        RedisScriptingAsyncCommands<String, String> commands = connection.async();
        return (RedisScriptingAsyncCommands<String, String>) Proxy.newProxyInstance(
                RedisHistoryTest.class.getClassLoader(),
                new Class<?>[] {RedisScriptingAsyncCommands.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("digest") || method.getName().equals("eval")) {
                        arguments[0] = text.apply((String) arguments[0]);
                    }
                    try {
                        return method.invoke(commands, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}

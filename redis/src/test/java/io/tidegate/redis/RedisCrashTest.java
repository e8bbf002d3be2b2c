package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.LeaseBreach;
import io.tidegate.testkit.LeaseRules;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed while several owners talk to it, and comes back. */
@Timeout(600)
class RedisCrashTest {
    private static final int KILLS = 3;
    private static final int ANSWERS_BETWEEN_KILLS = 150;
    private static final int STEPS = 600;

    @TempDir
    Path folder;

    @Test
    @DisplayName("WL-26 a server that writes before it answers loses nothing that it answered when it is killed")
    void server_killed_keepsItsWord() throws IOException {
        assertThat(breachAfterKills("appendfsync always")).isEmpty();
    }

    @Test
    @DisplayName("a server that does not write is caught")
    void server_killedWithoutFile_isCaught() throws IOException {
        assertThat(breachAfterKills("appendonly no")).isPresent();
    }

    private Optional<LeaseBreach> breachAfterKills(String setting) throws IOException {
        try (RealRedis redis = new RealRedis(folder, setting);
                SendOnceClient client = new SendOnceClient(redis.address())) {
            Owners owners = new Owners(client.commands(), "store", Duration.ofMillis(20), true, client::awaitServer);
            CompletableFuture<Void> end = owners.start(1, STEPS);
            for (int kill = 1; kill <= KILLS; kill++) {
                int lines = 2 * kill * ANSWERS_BETWEEN_KILLS;
                while (owners.history().lines().size() < lines) {
                    assertThat(end).isNotDone();
                }
                redis.killAndStart();
            }
            end.join();
            return owners.history().check(LeaseRules.ENGINE);
        }
    }
}

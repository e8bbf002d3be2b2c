package io.tidegate.redis;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.tidegate.lease.WorkLease;
import io.tidegate.testkit.LeaseHistory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Several owners that work on the same domains, and the recorded history of their calls. */
final class Owners {
    private static final int OWNERS = 3;
    private static final int MAX_RETRIES = 2;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final RedisScriptingAsyncCommands<String, String> commands;
    private final String prefix;
    private final Duration leaseDuration;
    private final boolean repeat;
    private final Runnable afterSilence;
    private final LeaseHistory history = new LeaseHistory();

    /** With {@code repeat} they repeat some finishes, as after a lost reply. */
    Owners(
            RedisScriptingAsyncCommands<String, String> commands,
            String prefix,
            Duration leaseDuration,
            boolean repeat,
            Runnable afterSilence) {
        this.repeat = repeat;
        this.afterSilence = afterSilence;
        this.commands = commands;
        this.prefix = prefix;
        this.leaseDuration = leaseDuration;
    }

    /** Returns when all owners have ended. */
    LeaseHistory work(long seed, int steps) {
        start(seed, steps).join();
        return history;
    }

    CompletableFuture<Void> start(long seed, int steps) {
        CompletableFuture<?>[] ends = new CompletableFuture<?>[OWNERS];
        for (int i = 0; i < OWNERS; i++) {
            CarelessOwner worker =
                    new CarelessOwner(history.recording(lease("owner" + i)), seed * OWNERS + i, repeat, afterSilence);
            ends[i] = CompletableFuture.runAsync(() -> worker.run(steps), task -> new Thread(task).start());
        }
        return CompletableFuture.allOf(ends);
    }

    LeaseHistory history() {
        return history;
    }

    private WorkLease lease(String owner) {
        return new RedisLeaseBuilder(new ScriptCalls(commands, () -> TIMEOUT, false), "orders", MAX_RETRIES)
                .prefix(prefix)
                .owner(owner)
                .leaseDuration(leaseDuration)
                .build();
    }
}

package io.tidegate.redis;

import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.List;

/** Moves stored times into the past: when leases end, and when domains are due. A server's clock cannot be moved. */
final class StoredTime {
    private static final long LONG_AGO = 1;

    private StoredTime() {}

    static void pass(RedisClusterCommands<String, String> commands, String prefix, Duration time) {
        List<String> states =
                ScanIterator.scan(
                                commands,
                                ScanArgs.Builder.matches(prefix + ":*:state").limit(1_000))
                        .stream()
                        .toList();
        for (String state : states) {
            String ends = commands.hget(state, "until");
            if (ends != null) {
                commands.hset(state, "until", earlier(ends, time));
            }
            String look = commands.hget(state, "look");
            if (look != null && !look.isEmpty() && !look.equals("0")) {
                String start = state.substring(0, state.indexOf("}:") + 2);
                String domain = state.substring(start.length(), state.length() - ":state".length());
                commands.hset(state, "look", earlier(look, time));
                commands.zadd(start + DomainKeys.INDEX, Double.parseDouble(earlier(look, time)), domain);
            }
        }
    }

    private static String earlier(String millis, Duration time) {
        return Long.toString(Math.max(LONG_AGO, Long.parseLong(millis) - time.toMillis()));
    }
}

package io.tidegate.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.io.Serial;
import java.util.List;
import java.util.Map;

/**
 * The server did not answer, or refused. The operation may have been applied: repeat it, with the same offset or the
 * same token. If the message says that the server refused, the operation was not applied, unless the client had sent it
 * before and lost its connection. Whatever the message says, some parts of a batch may have been applied and others
 * not.
 */
public final class RedisUnavailableException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String NOT_READY = "a server that is ready: ask again later";

    /** What the user should check, by a word that the server's refusal contains. */
    private static final List<Map.Entry<String, String>> EXPECTATIONS = List.of(
            Map.entry("READONLY", "the primary, not a replica: connect to that"),
            Map.entry("OOM", "free memory: raise maxmemory, or forget what is done"),
            Map.entry("MISCONF", "a server that can write to its disk: look into its log"),
            Map.entry("NOREPLICAS", "enough replicas, as min-replicas-to-write says: ask again when they are back"),
            Map.entry("WRONGTYPE", "keys that nobody else uses: set another prefix"),
            Map.entry("NOPERM", "a user who may call EVAL and EVALSHA on the keys of the prefix"),
            Map.entry("NOAUTH", "a user name and a password: set them in the client"),
            Map.entry("LOADING", NOT_READY),
            Map.entry("BUSY", NOT_READY),
            Map.entry("MASTERDOWN", NOT_READY),
            Map.entry("CLUSTERDOWN", NOT_READY),
            Map.entry("TRYAGAIN", NOT_READY));

    private RedisUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    static RedisUnavailableException of(Object call, RedisException cause) {
        boolean refused = cause instanceof RedisCommandExecutionException;
        String reason = String.valueOf(cause.getMessage());
        String message = "redis: " + (refused ? "refused: " : "no answer: ") + reason + " (expected: "
                + (refused ? expectation(reason) : "an answer; the operation may have happened: ask again") + "), "
                + call;
        return new RedisUnavailableException(message, cause);
    }

    private static String expectation(String refusal) {
        for (Map.Entry<String, String> expectation : EXPECTATIONS) {
            if (refusal.contains(expectation.getKey())) {
                return expectation.getValue();
            }
        }
        return "Redis 6.2 or newer, or Valkey";
    }
}

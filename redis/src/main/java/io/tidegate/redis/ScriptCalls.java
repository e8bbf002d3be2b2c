package io.tidegate.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Calls scripts on the server and waits for their answers, uninterruptibly. Thread-safe. */
final class ScriptCalls {
    private final RedisScriptingAsyncCommands<String, String> commands;
    private final Supplier<Duration> timeout;
    private final Map<LeaseScript, String> digests = new EnumMap<>(LeaseScript.class);

    ScriptCalls(RedisScriptingAsyncCommands<String, String> commands, Supplier<Duration> timeout) {
        this.commands = commands;
        this.timeout = timeout;
        for (LeaseScript script : LeaseScript.values()) {
            digests.put(script, commands.digest(script.text()));
        }
    }

    /**
     * What the script answers.
     *
     * @throws RedisUnavailableException if it does not
     */
    List<String> call(LeaseScript script, String domainId, String[] keys, String... arguments) {
        try {
            return callByDigest(script, keys, arguments);
        } catch (RedisException | CancellationException failure) {
            throw RedisUnavailableException.of(script, domainId, failure);
        }
    }

    /** A server knows no script when it has just started, and knows it again once it has seen the text. */
    private List<String> callByDigest(LeaseScript script, String[] keys, String[] arguments) {
        try {
            return await(commands.evalsha(digests.get(script), ScriptOutputType.MULTI, keys, arguments));
        } catch (RedisNoScriptException unknown) {
            return await(commands.eval(script.text(), ScriptOutputType.MULTI, keys, arguments));
        }
    }

    private List<String> await(RedisFuture<List<String>> command) {
        CompletableFuture<List<String>> answer = command.toCompletableFuture();
        Duration longest = timeout.get();
        try {
            // The limit ends the command itself: it is not sent any more when the server comes back.
            return (longest.isZero() ? answer : answer.orTimeout(longest.toNanos(), NANOSECONDS)).join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RedisException failure
                    ? failure
                    : new RedisException("no answer within " + longest, failed.getCause());
        }
    }
}

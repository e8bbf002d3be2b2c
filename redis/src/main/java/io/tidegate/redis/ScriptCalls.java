package io.tidegate.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Calls scripts on the server and waits for their answers, uninterruptibly. Thread-safe. */
final class ScriptCalls {
    /*
     * Commands are sent without waiting for the answers of those before, so any number of calls takes one round trip; in a cluster each node
     * gets its own at the same time. They arrive in the order in which they were sent.
     *
     * A call names its script by the digest. A server that does not know it, as it has just started, refuses, and the call is sent again with the
     * text. Of two calls about one thing the second must not be done before the first: that could happen if somebody else sent the text
     * between the two. So the first of several brings the text.
     */
    private final RedisScriptingAsyncCommands<String, String> commands;
    private final Supplier<Duration> timeout;

    ScriptCalls(RedisScriptingAsyncCommands<String, String> commands, Supplier<Duration> timeout) {
        this.commands = commands;
        this.timeout = timeout;
    }

    /**
     * What the script answers, word by word.
     *
     * @throws RedisUnavailableException if it does not
     */
    List<String> call(ScriptCall call) {
        return callAll(List.of(call)).get(0);
    }

    /**
     * What the scripts answer, in the order of the calls.
     *
     * @throws RedisUnavailableException if one does not; others may have
     */
    List<List<String>> callAll(List<ScriptCall> calls) {
        List<CompletableFuture<String>> answers = sendAll(calls);
        // All are over before anything is said, so that what the caller does next comes after them.
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .exceptionally(failed -> null)
                .join();
        List<List<String>> answered = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            answered.add(answerOf(calls.get(i), answers.get(i)));
        }
        return answered;
    }

    private List<CompletableFuture<String>> sendAll(List<ScriptCall> calls) {
        Set<String> several = subjectsOfSeveral(calls);
        List<CompletableFuture<String>> answers = new ArrayList<>(calls.size());
        for (ScriptCall call : calls) {
            boolean firstOfSeveral = several.remove(call.subject());
            answers.add(send(call, firstOfSeveral));
        }
        return answers;
    }

    private static Set<String> subjectsOfSeveral(List<ScriptCall> calls) {
        Set<String> all = new HashSet<>();
        Set<String> several = new HashSet<>();
        for (ScriptCall call : calls) {
            if (!all.add(call.subject())) {
                several.add(call.subject());
            }
        }
        return several;
    }

    private CompletableFuture<String> send(ScriptCall call, boolean withText) {
        try {
            return withText ? sendText(call) : sendDigest(call);
        } catch (RedisException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private CompletableFuture<String> sendDigest(ScriptCall call) {
        CompletableFuture<String> answer = limited(commands.evalsha(
                call.script().digest(), ScriptOutputType.VALUE, call.keyArray(), call.argumentArray()));
        return answer.exceptionallyCompose(failure ->
                failure instanceof RedisNoScriptException ? sendText(call) : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<String> sendText(ScriptCall call) {
        return limited(
                commands.eval(call.script().text(), ScriptOutputType.VALUE, call.keyArray(), call.argumentArray()));
    }

    /** The limit ends the command itself: it is not sent any more when the server comes back. */
    private CompletableFuture<String> limited(RedisFuture<String> command) {
        CompletableFuture<String> answer = command.toCompletableFuture();
        Duration longest = timeout.get();
        return longest.isZero() ? answer : answer.orTimeout(longest.toNanos(), NANOSECONDS);
    }

    private List<String> answerOf(ScriptCall call, CompletableFuture<String> answer) {
        try {
            return List.of(answer.join().split(" ", -1));
        } catch (CompletionException | CancellationException failed) {
            throw RedisUnavailableException.of(call, reason(failed));
        }
    }

    private RedisException reason(RuntimeException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        if (cause instanceof RedisException reason) {
            return reason;
        }
        String told = cause instanceof TimeoutException ? "none within " + timeout.get() : "the client gave it up";
        return new RedisException(told, cause);
    }
}

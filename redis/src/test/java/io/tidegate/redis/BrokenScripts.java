package io.tidegate.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.lang.reflect.Proxy;
import java.util.List;

/** Scripts with one fault each. */
enum BrokenScripts {
    FENCE_KEPT_BY_TAKE_OVER(
            "whole(math.max((lastFence or 0) + 1, instant))",
            "leased == offset and lastFence or whole(math.max((lastFence or 0) + 1, instant))"),
    TOKEN_KEPT_BY_TAKE_OVER(
            "local fresh = fence .. '.' .. secret",
            "local fresh = leased == offset and token or fence .. '.' .. secret"),
    LAST_COMES_FIRST("redis.call('HINCRBY', state, 'tail', 1)", "-redis.call('HINCRBY', state, 'tail', 1)"),
    ANY_TOKEN("live ~= token", "false"),
    SUCCESS_NOT_KEPT("grown(place, forgotten, first, last)\nreturn", "first or '', last or ''\nreturn"),
    FAILURE_NOT_KEPT("giveUp(place, retries, reason)\nreturn", "return"),

    /**
     * Each client uses its own clock, and the clock of one client is ahead by a day. Where time decides, the fourth
     * argument is the owner.
     */
    CLIENT_CLOCK("local instant = micros()", "local instant = micros() + (ARGV[4] == 'owner0' and 86400000000 or 0)"),

    /** The client first asks whether the token is right, and then ends whatever is leased. */
    FINISH_IN_TWO_STEPS(
            "or refusal(token, leased, live)\nif answered then\n    return answered\nend\n\nfirst", "\n\nfirst") {
        @Override
        RedisFuture<String> send(RedisScriptingAsyncCommands<String, String> commands, Script script, Call call) {
            if (script == LeaseScripts.SUCCEED) {
                String look =
                        script.text().replace("first, last = grown", "do return {'RIGHT'} end\nfirst, last = grown");
                RedisFuture<String> looked = call.eval(commands, look);
                if (!looked.toCompletableFuture().join().equals("RIGHT")) {
                    return looked;
                }
            }
            return super.send(commands, script, call);
        }
    };

    private final String right;
    private final String wrong;

    BrokenScripts(String right, String wrong) {
        this.right = right;
        this.wrong = wrong;
    }

    /** The keys and arguments of a call. */
    record Call(List<String> keys, List<String> arguments) {
        RedisFuture<String> eval(RedisScriptingAsyncCommands<String, String> commands, String text) {
            return commands.eval(
                    text, ScriptOutputType.VALUE, keys.toArray(String[]::new), arguments.toArray(String[]::new));
        }
    }

    /** Whether a script contains the code to break. */
    boolean fits() {
        return LeaseScripts.ALL.stream().anyMatch(script -> script.text().contains(right));
    }

    /** Returns the commands, with the fault in the scripts that they send. */
    @SuppressWarnings("unchecked")
    RedisScriptingAsyncCommands<String, String> in(RedisScriptingAsyncCommands<String, String> commands) {
        return (RedisScriptingAsyncCommands<String, String>) Proxy.newProxyInstance(
                BrokenScripts.class.getClassLoader(),
                new Class<?>[] {RedisScriptingAsyncCommands.class},
                (proxy, evalsha, sent) -> send(
                        commands, scriptOf((String) sent[0]), new Call(List.of((String[]) sent[2]), List.of((String[])
                                sent[3]))));
    }

    private static Script scriptOf(String digest) {
        return LeaseScripts.ALL.stream()
                .filter(script -> script.digest().equals(digest))
                .findFirst()
                .orElseThrow();
    }

    RedisFuture<String> send(RedisScriptingAsyncCommands<String, String> commands, Script script, Call call) {
        return call.eval(commands, script.text().replace(right, wrong));
    }
}

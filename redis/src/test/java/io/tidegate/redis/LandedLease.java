package io.tidegate.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Leases without a name, which use the scripts of that earlier version. */
final class LandedLease {
    private static final List<String> PARTS = List.of("state", "backlog", "queued", "failed", "done");

    private final RedisClusterCommands<String, String> commands;
    private final String prefix;
    private final String owner;
    private final int maxRetries;
    private int calls;

    LandedLease(RedisClusterCommands<String, String> commands, String prefix, String owner, int maxRetries) {
        this.commands = commands;
        this.prefix = prefix;
        this.owner = owner;
        this.maxRetries = maxRetries;
    }

    /** Returns the token, or a code. */
    String acquire(String domainId, long offset, long durationMillis) {
        List<String> answer = call(
                "acquire",
                domainId,
                Long.toString(offset),
                SortableOffset.of(offset),
                owner,
                Long.toString(durationMillis),
                Integer.toString(maxRetries),
                "secret" + calls++);
        return answer.get(0).equals("ACQUIRED") ? answer.get(1) : answer.get(0);
    }

    String succeed(String domainId, String token) {
        return String.join(" ", call("succeed", domainId, token));
    }

    String fail(String domainId, String token) {
        return String.join(
                " ", call("fail", domainId, token, "", "3600000", Integer.toString(maxRetries), "call" + calls++));
    }

    void forget(String domainId, long upToOffset) {
        call("forget", domainId, SortableOffset.of(upToOffset));
    }

    void replay(String domainId, long offset) {
        call("replay", domainId, Long.toString(offset), SortableOffset.of(offset));
    }

    /** Returns counts, the lease as its owner sees it, and the backlog. */
    List<String> inspect(String domainId) {
        return call("inspect", domainId, owner);
    }

    String[] keys(String domainId) {
        return PARTS.stream()
                .map(part -> prefix + ":{" + DomainKeys.escaped(domainId) + "}:" + part)
                .toArray(String[]::new);
    }

    private List<String> call(String script, String domainId, String... arguments) {
        String text = file("landed/domain") + "local function answer(...)\n" + file("landed/" + script) + "end\n"
                + file("calls");
        List<String> all = new ArrayList<>(List.of("1"));
        Stream.of(arguments).forEach(all::add);
        String answer = commands.eval(text, ScriptOutputType.VALUE, keys(domainId), all.toArray(String[]::new));
        return List.of(answer.split(" ", -1));
    }

    private static String file(String name) {
        try (InputStream stream = LandedLease.class.getResourceAsStream(name + ".lua")) {
            return new String(stream.readAllBytes(), US_ASCII);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

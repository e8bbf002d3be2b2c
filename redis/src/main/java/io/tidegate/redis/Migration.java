package io.tidegate.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Gives a name to the domains of leases that had none. */
final class Migration {
    /*
     * The keys of a domain without a name are prefix:{domain}:part, so in a cluster they are in another slot than its
     * new keys, and no script can reach both. Each domain is copied part by part to temporary keys beside its new ones.
     * Then one script makes the new domain of them, if all entries are there and the domain is not known yet. Then the
     * old keys are deleted. No process may change the old keys meanwhile.
     *
     * If a call ends anywhere, the next one completes it: entries that were copied are copied again. The new domain has
     * the field `adopted` until the old state has the field `moved`, and the old state keeps that until the old keys
     * are gone: so the next call finds what is left to do in the old state alone. Two concurrent calls copy the same
     * entries, and one of them makes the domain. If the old keys have changed since an earlier copy, the number of
     * entries is wrong; the copy is deleted then, and all is copied again.
     */
    private static final int PAGE = 500;
    private static final String ASIDE = ".aside";
    private static final String MOVED = "moved";
    private static final Script ADOPT = Script.read("domain", "adopt");
    private static final Script ADOPT_END = Script.read("domain", "adopt-end");

    private final RedisClusterCommands<String, String> commands;
    private final ScriptCalls calls;
    private final String prefix;
    private final DomainKeys keys;

    Migration(RedisClusterCommands<String, String> commands, ScriptCalls calls, String prefix, String name) {
        this.commands = commands;
        this.calls = calls;
        this.prefix = RedisLeaseBuilder.requirePrefix(prefix);
        this.keys = new DomainKeys(prefix, RedisLeaseBuilder.requireName(name));
    }

    long run() {
        long moved = 0;
        List<String> inBoth = new ArrayList<>();
        String start = prefix + ":{";
        String end = "}:state";
        ScanArgs pattern =
                ScanArgs.Builder.matches(literally(start) + "*" + end).limit(PAGE);
        ScanIterator<String> found = asked(() -> ScanIterator.scan(commands, pattern));
        while (asked(found::hasNext)) {
            String key = found.next();
            String domain = key.substring(start.length(), key.length() - end.length());
            if (domain.contains("}")) {
                continue; // a key of a lease with a name
            }
            switch (adopt(domain)) {
                case "ADOPTED" -> moved++;
                case "KNOWN" -> inBoth.add(unescaped(domain));
                default -> {
                    // another call was faster
                }
            }
        }
        if (!inBoth.isEmpty()) {
            throw new IllegalStateException("domains: " + inBoth + " (expected: not yet in use with the name)");
        }
        return moved;
    }

    private String adopt(String escaped) {
        String old = prefix + ":{" + escaped + "}:";
        List<String> target = keys.of(unescaped(escaped));
        List<String> parts = target.subList(2, target.size());
        String answer;
        do {
            Map<String, String> fields = asked(() -> commands.hgetall(old + "state"));
            if (fields.isEmpty()) {
                return "GONE";
            }
            if (fields.containsKey(MOVED)) {
                return endMove(old, target);
            }
            List<String> arguments = new ArrayList<>(List.of(
                    copy(target, parts.get(0), from -> waiting(old + "backlog", from)),
                    copy(target, parts.get(1), from -> failures(old + "failed", from)),
                    copy(target, parts.get(2), from -> runs(old + "done", from))));
            fields.forEach((field, value) -> arguments.addAll(List.of(field, value)));
            List<String> all = new ArrayList<>(target);
            parts.forEach(part -> all.add(part + ASIDE));
            answer = call(ADOPT_END, all, arguments);
        } while (answer.equals("INCOMPLETE"));
        if (answer.equals("KNOWN")) {
            Map<String, String> left = asked(() -> commands.hgetall(old + "state"));
            return left.isEmpty() || left.containsKey(MOVED) ? "GONE" : answer;
        }
        asked(() -> commands.hset(old + "state", MOVED, "1"));
        return endMove(old, target);
    }

    private String endMove(String old, List<String> target) {
        asked(() -> commands.hdel(target.get(1), "adopted"));
        asked(() -> commands.unlink(Stream.of("state", "backlog", "queued", "failed", "done")
                .map(part -> old + part)
                .toArray(String[]::new)));
        return "ADOPTED";
    }

    /** Copies the entries of a part, page by page. Returns how many there are. */
    private String copy(List<String> target, String part, LongFunction<List<String>> pageFrom) {
        List<String> all = new ArrayList<>(target);
        all.add(part + ASIDE);
        long entries = 0;
        List<String> page = pageFrom.apply(entries);
        while (!page.isEmpty()) {
            call(ADOPT, all, page);
            entries += page.size() / 2;
            page = pageFrom.apply(entries);
        }
        return Long.toString(entries);
    }

    private List<String> waiting(String key, long from) {
        List<String> offsets = asked(() -> commands.lrange(key, from, from + PAGE - 1));
        List<String> page = new ArrayList<>();
        for (String offset : offsets) {
            page.addAll(List.of(Long.toString(from + 1 + page.size() / 2), offset));
        }
        return page;
    }

    private List<String> failures(String key, long from) {
        List<String> page = new ArrayList<>();
        for (ScoredValue<String> failure : asked(() -> commands.zrangeWithScores(key, from, from + PAGE - 1))) {
            // The number of retries and the reason were not recorded at that time.
            page.addAll(List.of("0", failure.getValue() + " " + (long) failure.getScore() + " 0 "));
        }
        return page;
    }

    private List<String> runs(String key, long from) {
        List<String> page = new ArrayList<>();
        for (String run : asked(() -> commands.zrange(key, from, from + PAGE - 1))) {
            page.addAll(List.of("0", run));
        }
        return page;
    }

    private String call(Script script, List<String> target, List<String> arguments) {
        return calls.call(new ScriptCall(script, "key " + target.get(1), target, arguments))
                .get(0);
    }

    private static <T> T asked(Supplier<T> command) {
        try {
            return command.get();
        } catch (RedisException failed) {
            throw RedisUnavailableException.of("migrate", failed);
        }
    }

    /** Escapes the characters that have a meaning in patterns. */
    private static String literally(String text) {
        return text.replaceAll("([*?\\[\\]\\\\^])", "\\\\$1");
    }

    private static String unescaped(String escaped) {
        StringBuilder text = new StringBuilder();
        int i = 0;
        while (i < escaped.length()) {
            if (escaped.charAt(i) == '%') {
                text.append((char) Integer.parseInt(escaped.substring(i + 1, i + 5), 16));
                i += 5;
            } else {
                text.append(escaped.charAt(i));
                i++;
            }
        }
        return text.toString();
    }
}

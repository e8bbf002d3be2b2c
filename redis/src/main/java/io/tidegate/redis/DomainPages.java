package io.tidegate.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Lists domains of a name, in the order of their names. */
final class DomainPages {
    /*
     * Each shard lists its own domains in that order, up to a number that is above its share of the wanted ones. All
     * shards are asked in one round trip. The list is certain up to the least name at which a shard has stopped,
     * because that shard may have others behind it. If the list is too short, the shards that have stopped are asked to
     * go on. That happens only if the domains are divided very unevenly, or if a shard has many domains to check.
     */
    private static final int MORE_THAN_ITS_PART = 16;
    private static final int PART = 16;
    private static final String MOST_LOOKED_AT = "32";
    private static final String FIRST_CURSOR = "0";

    private final ScriptCalls calls;
    private final String name;
    private final List<String> indexes;

    DomainPages(ScriptCalls calls, String name, List<String> indexes) {
        this.calls = calls;
        this.name = name;
        this.indexes = indexes;
    }

    /**
     * A shard that may have domains behind this name.
     *
     * @param cursor where the shard goes on with work that it must do first
     */
    private record Open(String index, String from, String cursor) {}

    /** @param script lists the domains of a shard */
    List<String> list(Script script, int limit, String afterDomain) {
        String first = DomainKeys.sortable(afterDomain);
        String each = Integer.toString(Math.min(limit, MORE_THAN_ITS_PART + limit / PART));
        NavigableSet<String> listed = new TreeSet<>();
        NavigableSet<String> certain = listed;
        List<Open> open = indexes.stream()
                .map(index -> new Open(index, first, FIRST_CURSOR))
                .toList();
        do {
            open = ask(script, open, each, listed);
            certain = open.stream()
                    .map(Open::from)
                    .min(String::compareTo)
                    .map(least -> listed.headSet(least, true))
                    .orElse(listed);
        } while (!open.isEmpty() && certain.size() < limit);
        return certain.stream().limit(limit).map(DomainKeys::fromSortable).toList();
    }

    private List<Open> ask(Script script, List<Open> shards, String limit, NavigableSet<String> listed) {
        List<List<String>> answers = calls.callAll(
                shards.stream().map(shard -> question(script, shard, limit)).toList());
        List<Open> open = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            Open shard = shards.get(i);
            List<String> words = answers.get(i);
            if (words.get(0).equals("AGAIN")) {
                open.add(new Open(shard.index, shard.from, words.get(1)));
                continue;
            }
            listed.addAll(words.subList(2, words.size()));
            if (!words.get(1).isEmpty()) {
                open.add(new Open(shard.index, words.get(1), shard.cursor));
            }
        }
        return open;
    }

    /*
     * Names both keys that the call writes: a cluster that is moving the slot then refuses the call if one key is
     * elsewhere.
     */
    private ScriptCall question(Script script, Open shard, String limit) {
        List<String> keys = script == LeaseScripts.NAMES
                ? List.of(shard.index, DomainKeys.namesBeside(shard.index))
                : List.of(shard.index);
        List<String> arguments = List.of(shard.from, limit, MOST_LOOKED_AT, shard.cursor);
        return new ScriptCall(script, "leases " + name, keys, arguments);
    }
}

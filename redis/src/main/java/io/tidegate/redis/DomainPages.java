package io.tidegate.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Finds the domains of a name that have work and nobody on it, in the order of their names. */
final class PendingDomains {
    /*
     * Each shard tells its own in that order, up to a number that is above its part of what is wanted. All are asked at
     * once. What is told is certain up to the least name at which a shard has stopped: it may have others behind that.
     * If that is not enough, those that have stopped are asked to go on. That happens only if the domains are divided
     * very unevenly, or if there is very much to look at.
     */
    private static final int MORE_THAN_ITS_PART = 16;
    private static final int PART = 16;
    private static final String MOST_LOOKED_AT = "32";

    private final ScriptCalls calls;
    private final String name;
    private final List<String> indexes;

    PendingDomains(ScriptCalls calls, String name, List<String> indexes) {
        this.calls = calls;
        this.name = name;
        this.indexes = indexes;
    }

    /** A shard that may have domains behind this one. */
    private record Open(String index, String from) {}

    List<String> list(int limit, String afterDomain) {
        String first = DomainKeys.sortable(afterDomain);
        String each = Integer.toString(Math.min(limit, MORE_THAN_ITS_PART + limit / PART));
        NavigableSet<String> told = new TreeSet<>();
        NavigableSet<String> certain = told;
        List<Open> open = indexes.stream().map(index -> new Open(index, first)).toList();
        do {
            open = ask(open, each, told);
            certain = open.stream()
                    .map(Open::from)
                    .min(String::compareTo)
                    .map(least -> told.headSet(least, true))
                    .orElse(told);
        } while (!open.isEmpty() && certain.size() < limit);
        return certain.stream().limit(limit).map(DomainKeys::fromSortable).toList();
    }

    private List<Open> ask(List<Open> shards, String limit, NavigableSet<String> told) {
        List<List<String>> answers = calls.callAll(
                shards.stream().map(shard -> question(shard, limit)).toList());
        List<Open> open = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            List<String> words = answers.get(i);
            if (words.get(0).equals("AGAIN")) {
                open.add(shards.get(i));
                continue;
            }
            told.addAll(words.subList(2, words.size()));
            if (!words.get(1).isEmpty()) {
                open.add(new Open(shards.get(i).index(), words.get(1)));
            }
        }
        return open;
    }

    private ScriptCall question(Open shard, String limit) {
        List<String> arguments = List.of(shard.from(), limit, MOST_LOOKED_AT);
        return new ScriptCall(LeaseScripts.PENDING, "leases " + name, List.of(shard.index()), arguments);
    }
}

package io.tidegate.redis;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/** The names of the keys of a lease's domains. */
final class DomainKeys {
    /*
     * A domain's keys are prefix:{name/shard}:domain:part. In a cluster the text between the first pair of braces
     * determines the slot of a key. A script changes keys of one slot, and must change a domain together with the index
     * in which it is found. So the domains of a name are divided among a fixed number of shards, each with an index of
     * its own, prefix:{name/shard}:look_at, and a list of its domains, prefix:{name/shard}:names. These have no second
     * colon behind the braces, so they belong to no domain.
     *
     * Names and domains are written in printable ASCII without braces, so it does not matter what the connection does
     * with other characters. No two are written alike, and they sort as the texts do by their bytes in UTF-8, which is
     * by code points: those up to '!' as '!' and two digits, those from '{' on as '~' and six digits.
     */
    static final int SHARDS = 64;

    static final String INDEX = "look_at";
    static final String NAMES = "names";
    static final List<String> PARTS = List.of("state", "backlog", "failed", "done");

    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final char LOW = '!';
    private static final int LOW_DIGITS = 2;
    private static final char HIGH = '~';
    private static final int HIGH_DIGITS = 6;

    private final String[] shards;

    DomainKeys(String prefix, String name) {
        String start = prefix + ":{" + sortable(name) + "/";
        this.shards = IntStream.range(0, SHARDS)
                .mapToObj(shard -> start + shard + "}:")
                .toArray(String[]::new);
    }

    /** Returns the key of the index of the domain's shard, then the keys of the domain's parts. */
    List<String> of(String domainId) {
        String domain = sortable(domainId);
        String shard = shards[SlotHash.getSlot(domain) % SHARDS];
        List<String> keys = new ArrayList<>(1 + PARTS.size());
        keys.add(shard + INDEX);
        for (String part : PARTS) {
            keys.add(shard + domain + ":" + part);
        }
        return keys;
    }

    /** Returns the key of the list of a shard's domains, from the key of the shard's index. */
    static String namesBeside(String index) {
        return index.substring(0, index.length() - INDEX.length()) + NAMES;
    }

    /** Returns the keys of the indexes of all shards. */
    List<String> indexes() {
        return IntStream.range(0, SHARDS)
                .mapToObj(shard -> shards[shard] + INDEX)
                .toList();
    }

    static String sortable(String text) {
        StringBuilder written = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (point <= LOW) {
                written.append(LOW).append(HEX.toHexDigits(point, LOW_DIGITS));
            } else if (point < '{') {
                written.append((char) point);
            } else {
                written.append(HIGH).append(HEX.toHexDigits(point, HIGH_DIGITS));
            }
        });
        return written.toString();
    }

    static String fromSortable(String written) {
        StringBuilder text = new StringBuilder(written.length());
        int i = 0;
        while (i < written.length()) {
            char character = written.charAt(i);
            i++;
            if (character == LOW || character == HIGH) {
                int end = i + (character == LOW ? LOW_DIGITS : HIGH_DIGITS);
                text.appendCodePoint(HexFormat.fromHexDigits(written, i, end));
                i = end;
            } else {
                text.append(character);
            }
        }
        return text.toString();
    }

    /** Writes a name in the form that was used before leases had names, and that names of caps still use. */
    static String escaped(String text) {
        StringBuilder name = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (isPlain(character)) {
                name.append(character);
            } else {
                name.append('%').append(HEX.toHexDigits(character));
            }
        }
        return name.toString();
    }

    private static boolean isPlain(char character) {
        return character > ' ' && character <= '~' && character != '%' && character != '{' && character != '}';
    }
}

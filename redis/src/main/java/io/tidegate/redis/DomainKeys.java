package io.tidegate.redis;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The names of a domain's keys. */
final class DomainKeys {
    /*
     * A name is prefix:{domain}:part. In a cluster what is between the first pair of braces says in which slot a key is, so the keys of a
     * domain are in one. Braces in the domain would end that early, and an empty pair does not count. So all but plain ASCII
     * is written as %XXXX, as are braces, spaces and the percent sign itself. Two domains then never have the same name, whatever
     * characters they have and whatever the connection makes of those.
     */
    private static final List<String> PARTS = List.of("state", "backlog", "queued", "failed", "done");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final String prefix;

    DomainKeys(String prefix) {
        this.prefix = prefix;
    }

    List<String> of(String domainId) {
        String start = prefix + ":{" + escaped(domainId) + "}:";
        List<String> keys = new ArrayList<>(PARTS.size());
        for (String part : PARTS) {
            keys.add(start + part);
        }
        return keys;
    }

    static String escaped(String domainId) {
        StringBuilder name = new StringBuilder(domainId.length());
        for (int i = 0; i < domainId.length(); i++) {
            char character = domainId.charAt(i);
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

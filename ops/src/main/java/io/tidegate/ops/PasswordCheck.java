package io.tidegate.ops;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds a password in an address: in places from which drivers read one, and in places where people put one although no
 * driver reads it.
 */
final class PasswordCheck {
    /*
     * A part before the host. On Redis all of it may be the password. In other addresses an @ can stand in a path or a
     * setting.
     */
    private static final Pattern BEFORE_HOST =
            Pattern.compile("(?i)^redis.*@|//[^/?;]*@|//[^/?@\\[]*:[^0-9/@][^@]*@", Pattern.DOTALL);
    /* A setting whose name ends like this, or SQL that H2 runs when it opens a database. */
    private static final Pattern AS_SETTING = Pattern.compile("(?i)(password|passwd|pwd)\\s*[='\"]");
    private static final Pattern ENCODED = Pattern.compile("%([0-7][0-9a-fA-F])");

    private PasswordCheck() {}

    static boolean findsOneIn(String address) {
        return Stream.of(address, decoded(address))
                .anyMatch(text -> BEFORE_HOST.matcher(text).find()
                        || AS_SETTING.matcher(text).find());
    }

    /**
     * Returns the address without percent encoding and without H2's backslash, which could hide a password that a
     * driver would read.
     */
    private static String decoded(String address) {
        return ENCODED.matcher(address.replace("\\", ""))
                .replaceAll(
                        hidden -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(hidden.group(1), 16))));
    }
}

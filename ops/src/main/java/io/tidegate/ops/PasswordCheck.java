package io.tidegate.ops;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds a password in an address: where drivers take one from, and where people put one though no driver takes it. */
final class PasswordCheck {
    /*
     * Before the host: on Redis all of it may be the password. In other addresses an @ can stand in a path or a
     * setting.
     */
    private static final Pattern BEFORE_HOST =
            Pattern.compile("(?i)^redis.*@|//[^/?;]*@|//[^/?@\\[]*:[^0-9/@][^@]*@", Pattern.DOTALL);
    /* A setting whose name ends so; or in SQL that H2 runs when it opens. */
    private static final Pattern AS_SETTING = Pattern.compile("(?i)(password|passwd|pwd)\\s*[='\"]");
    private static final Pattern ENCODED = Pattern.compile("%([0-7][0-9a-fA-F])");

    private PasswordCheck() {}

    static boolean findsOneIn(String address) {
        return Stream.of(address, decoded(address))
                .anyMatch(text -> BEFORE_HOST.matcher(text).find()
                        || AS_SETTING.matcher(text).find());
    }

    /** Without what hides characters from us but not from each driver: percent encoding, and the backslash of H2. */
    private static String decoded(String address) {
        return ENCODED.matcher(address.replace("\\", ""))
                .replaceAll(
                        hidden -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(hidden.group(1), 16))));
    }
}

package io.tidegate.console;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and perhaps a port, as in {@code Host} and {@code Origin}.
 *
 * @param host in lower case; an IPv6 address without its brackets
 * @param port −1 if there is none
 */
record Authority(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[([0-9a-f:.]{2,45})]|([a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?))(?::([0-9]{1,5}))?");
    private static final Pattern NUMBERS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    /** Returns null if the text does not have this form. */
    static @Nullable Authority parse(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            return null;
        }
        int port = form.group(3) == null ? -1 : Integer.parseInt(form.group(3));
        String host = form.group(1) == null ? form.group(2) : form.group(1);
        return port > 65_535 ? null : new Authority(host, port);
    }

    /** Returns the host of an {@code Origin}; null if that has none, such as {@code null}. */
    static @Nullable Authority ofOrigin(String origin) {
        String lower = origin.toLowerCase(Locale.ROOT);
        for (String scheme : new String[] {"http://", "https://"}) {
            if (lower.startsWith(scheme)) {
                Authority found = parse(lower.substring(scheme.length()));
                int usual = scheme.equals("https://") ? 443 : 80;
                return found == null || found.port != -1 ? found : new Authority(found.host, usual);
            }
        }
        return null;
    }

    /** Whether it is a loopback name or address, which no name server can point to another machine. */
    boolean isLoopback() {
        return host.equals("localhost")
                || host.equals("::1")
                || (host.startsWith("127.") && NUMBERS.matcher(host).matches());
    }
}

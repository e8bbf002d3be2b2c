package io.tidegate.lab.orders;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who logs in to a store. It comes by the environment: all users of a machine can see its command lines.
 *
 * @param user nobody if null
 * @param password none if null
 */
record Login(@Nullable String user, @Nullable String password) {
    static final String USER = "TIDEGATE_USER";
    static final String PASSWORD = "TIDEGATE_PASSWORD";
    static final Login NOBODY = new Login(null, null);

    /* The password stands before the host, where on Redis all of it may be the password, or in a setting. */
    private static final Pattern IN_ADDRESS =
            Pattern.compile("(?i)^redis.*(@|%40)|//[^/?;]*(@|%40)|(password|passwd|pwd)\\s*=");

    /** That of an environment. */
    static Login of(Map<String, String> environment) {
        return new Login(environment.get(USER), environment.get(PASSWORD));
    }

    /** Gives it to a process by its environment. */
    void putInto(Map<String, String> environment) {
        if (user != null) {
            environment.put(USER, user);
        }
        if (password != null) {
            environment.put(PASSWORD, password);
        }
    }

    /** Whether an address has a password. */
    static boolean isIn(String address) {
        return IN_ADDRESS.matcher(address).find();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "Login[user=" + user + "]";
    }
}

package io.tidegate.lab.orders;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The user and password for a store. They come from the environment, because all users of a machine can see its command
 * lines.
 *
 * @param user null for none
 * @param password null for none
 */
record Login(@Nullable String user, @Nullable String password) {
    static final String USER = "TIDEGATE_USER";
    static final String PASSWORD = "TIDEGATE_PASSWORD";
    static final Login NOBODY = new Login(null, null);

    /* The password stands before the host, where on Redis all of it may be the password, or in a setting. */
    private static final Pattern IN_ADDRESS =
            Pattern.compile("(?i)^redis.*(@|%40)|//[^/?;]*(@|%40)|(password|passwd|pwd)\\s*=");

    /** Returns the login in an environment. */
    static Login of(Map<String, String> environment) {
        return new Login(environment.get(USER), environment.get(PASSWORD));
    }

    /** Passes the login to a process by its environment. */
    void putInto(Map<String, String> environment) {
        if (user != null) {
            environment.put(USER, user);
        }
        if (password != null) {
            environment.put(PASSWORD, password);
        }
    }

    /** Whether an address contains a password. */
    static boolean isIn(String address) {
        return IN_ADDRESS.matcher(address).find();
    }

    /** Leaves out the password. */
    @Override
    public String toString() {
        return "Login[user=" + user + "]";
    }
}

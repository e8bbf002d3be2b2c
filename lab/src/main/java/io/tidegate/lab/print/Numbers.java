package io.tidegate.lab.print;

import java.time.Duration;
import java.util.Locale;

/** Numbers as the lab prints them. */
public final class Numbers {
    private Numbers() {}

    public static String whole(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    public static String millis(Duration duration) {
        double millis = duration.toNanos() / 1e6;
        return String.format(Locale.ROOT, millis < 10 ? "%,.2f ms" : "%,.0f ms", millis);
    }

    public static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%,.1f s", duration.toNanos() / 1e9);
    }
}

package io.tidegate.bench;

import java.util.Locale;

/** How numbers are shown: with three figures, which is more than a benchmark can vouch for, or as whole ones. */
public final class Numbers {
    private Numbers() {}

    /** As on the page. */
    public static String show(double number) {
        if (!Double.isFinite(number)) {
            return "–";
        }
        boolean whole = number == Math.rint(number) || number >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f" : number < 10 ? "%.2f" : "%.1f", number);
    }
}

package io.tidegate.bench;

import java.util.Locale;

/** Writes numbers with three digits, which is more than a benchmark can vouch for, or as whole ones. */
public final class Numbers {
    private Numbers() {}

    /** Returns the number as on the page. */
    public static String show(double number) {
        if (!Double.isFinite(number)) {
            return "–";
        }
        boolean whole = number == Math.rint(number) || number >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f" : number < 10 ? "%.2f" : "%.1f", number);
    }
}

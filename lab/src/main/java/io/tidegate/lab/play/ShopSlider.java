package io.tidegate.lab.play;

import java.util.Locale;

/** The sliders of the shop. */
enum ShopSlider {
    OFFERED("Offered load", "calls a second", 0, 120, 20),
    CAPACITY("Capacity", "calls at once", 1, 20, 4),
    FAILURES("Failure rate", "% of calls", 0, 100, 0),
    LATENCY("Latency", "ms a call", 5, 1_000, 100);

    private final String label;
    private final String unit;
    private final int min;
    private final int max;
    private final int usual;

    ShopSlider(String label, String unit, int min, int max, int usual) {
        this.label = label;
        this.unit = unit;
        this.min = min;
        this.max = max;
        this.usual = usual;
    }

    /** Returns its name in requests. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String label() {
        return label;
    }

    String unit() {
        return unit;
    }

    int min() {
        return min;
    }

    int max() {
        return max;
    }

    /** Returns its first value. */
    int usual() {
        return usual;
    }
}

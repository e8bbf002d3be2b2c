package io.tidegate.evidence;

import com.google.gson.annotations.SerializedName;

/** The outcome of a rule or of one of its checks. Only a passed one is evidence. */
enum Outcome {
    @SerializedName("passed")
    PASSED("passed"),
    @SerializedName("failed")
    FAILED("FAILED"),
    @SerializedName("skipped")
    SKIPPED("SKIPPED"),
    @SerializedName("no test")
    NO_TEST("NO TEST");

    private final String shown;

    Outcome(String shown) {
        this.shown = shown;
    }

    /** Returns the text in a table, where every outcome but a success must stand out. */
    String shown() {
        return shown;
    }
}

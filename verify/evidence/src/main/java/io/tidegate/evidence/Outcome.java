package io.tidegate.evidence;

import com.google.gson.annotations.SerializedName;

/** What came of a rule or of one of its checks. Only what has passed is evidence. */
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

    /** In a table, where all but a success is to be seen at once. */
    String shown() {
        return shown;
    }
}

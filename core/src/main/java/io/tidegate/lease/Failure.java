package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

/**
 * What is known of a failed attempt.
 *
 * @param number which failure with this token it is, from 1: reported again, it is counted once and answered as before.
 *     0 if it is not numbered
 * @param permanent whether a retry is of no use
 * @param reason for people; kept with the failed work, up to {@value #MOST_REASON} characters of it
 */
public record Failure(int number, boolean permanent, String reason) {
    /** How many characters of a reason are kept. */
    public static final int MOST_REASON = 1_000;

    public Failure {
        if (number < 0) {
            throw new IllegalArgumentException("number: " + number + " (expected: >= 0)");
        }
        requireNonNull(reason, "reason");
        reason = reason.length() <= MOST_REASON ? reason : reason.substring(0, lastWhole(reason));
    }

    /* Half of a surrogate pair is not a character. */
    private static int lastWhole(String reason) {
        return Character.isHighSurrogate(reason.charAt(MOST_REASON - 1)) ? MOST_REASON - 1 : MOST_REASON;
    }
}

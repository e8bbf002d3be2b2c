package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

/**
 * What is known of a failed attempt.
 *
 * @param number the number of the failure with this token, from 1, or 0: not numbered. A numbered failure that is
 *     reported again is counted once and answered as before
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

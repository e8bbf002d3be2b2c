package io.tidegate.remote;

/**
 * What was left when a drain ended.
 *
 * @param inFlight operations that still ran
 * @param waiting requests that still waited
 */
public record DrainReport(int inFlight, int waiting) {
    /** Whether nothing was left. */
    public boolean isComplete() {
        return inFlight == 0 && waiting == 0;
    }
}

package io.tidegate.lease;

/**
 * What a runner is doing and has done since it was built. The numbers are read one after the other.
 *
 * @param active domains in which the runner has work
 * @param running attempts that run, or whose outcome is being reported
 * @param waiting domains that wait for a retry, or for a lease or an executor that refused
 * @param succeeded offsets that succeeded
 * @param failed attempts that failed
 * @param parked offsets that failed permanently
 * @param lost offsets that were finished or taken over elsewhere
 */
public record LeaseRunnerStats(
        int active, int running, int waiting, long succeeded, long failed, long parked, long lost) {}

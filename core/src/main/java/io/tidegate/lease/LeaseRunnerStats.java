package io.tidegate.lease;

/**
 * What a runner is doing and has done since it was built. The numbers are read one after the other.
 *
 * @param active domains the runner has something to do in
 * @param running attempts that run, or whose outcome the lease is being told
 * @param waiting domains that wait for their time: for a retry, or for a lease or executor that refused
 * @param succeeded offsets that ended well
 * @param failed attempts that failed
 * @param parked offsets that failed for good
 * @param lost attempts whose outcome came too late for the lease to take
 */
public record LeaseRunnerStats(
        int active, int running, int waiting, long succeeded, long failed, long parked, long lost) {}

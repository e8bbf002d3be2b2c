package io.tidegate.group;

/**
 * All groups together. Groups are read one after the other: the sums are exact when nothing changes meanwhile, and
 * never beyond a common limit. The last three count from the beginning, refused tasks possibly a moment late; once
 * every handle has ended, {@code submitted = completed + rejected}.
 *
 * @param groups groups known, idle ones included until they are evicted
 * @param running tasks whose body runs, or is about to
 * @param waiting tasks that wait
 * @param inFlight running tasks and those whose stage is pending
 * @param submitted tasks submitted, refused ones included
 * @param completed tasks that ended in any way but by a refusal
 * @param rejected tasks refused, those run by their caller included
 */
public record GroupExecutorStats(
        int groups, int running, int waiting, int inFlight, long submitted, long completed, long rejected) {}

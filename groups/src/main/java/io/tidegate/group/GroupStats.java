package io.tidegate.group;

/**
 * One group at one instant.
 *
 * @param groupKey the group
 * @param running tasks whose body runs, or is about to
 * @param waiting tasks that wait
 * @param inFlight running tasks and those whose stage is pending
 * @param maxConcurrency the limit of {@code running}
 * @param maxInFlight the limit of {@code inFlight}
 * @param queueThreshold the limit of {@code waiting}
 * @param oldestWaitingNanos how long the head of the queue has waited; 0 if no task waits
 */
public record GroupStats(
        String groupKey,
        int running,
        int waiting,
        int inFlight,
        int maxConcurrency,
        int maxInFlight,
        int queueThreshold,
        long oldestWaitingNanos) {}

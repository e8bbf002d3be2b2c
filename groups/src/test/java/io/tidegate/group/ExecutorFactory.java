package io.tidegate.group;

/** Makes the executor that a check is run on: the true one, or a broken one. */
interface ExecutorFactory {
    GroupExecutor create(GroupPolicy policy);
}

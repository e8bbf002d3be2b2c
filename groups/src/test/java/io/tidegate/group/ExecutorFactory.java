package io.tidegate.group;

/** Makes the executor that a check runs on: the library's, or a broken one. */
interface ExecutorFactory {
    GroupExecutor create(GroupPolicy policy);
}

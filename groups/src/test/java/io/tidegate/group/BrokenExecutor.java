package io.tidegate.group;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The library's executor with one method of each variant broken, in ways in which hand-written executors are broken.
 */
enum BrokenExecutor implements ExecutorFactory {
    /** Cancel interrupts the thread on which it saw the body, although that thread may run the next body by then. */
    INTERRUPTS_LATE {
        @Override
        public GroupExecutor create(GroupPolicy policy) {
            return new Outer(policy) {
                @Override
                public <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable) {
                    Noting<T> body = new Noting<>(callable);
                    return new Handle<>(inner.submit(groupKey, taskId, body)) {
                        @Override
                        public boolean cancel(boolean mayInterruptIfRunning) {
                            Thread seen = body.thread;
                            while (seen == null && !inner.isDone()) {
                                giveWay();
                                seen = body.thread;
                            }
                            if (seen == null) {
                                return false;
                            }
                            while (!inner.isDone()) {
                                giveWay();
                            }
                            seen.interrupt();
                            return true;
                        }
                    };
                }
            };
        }
    },

    /** Cancel checks whether the body runs, and then ends the handle; the body may start in between. */
    CANCELS_HANDLE_ONLY {
        @Override
        public GroupExecutor create(GroupPolicy policy) {
            return new Outer(policy) {
                @Override
                public <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable) {
                    Noting<T> body = new Noting<>(callable);
                    return new Handle<>(inner.submit(groupKey, taskId, body)) {
                        private volatile boolean cancelled;

                        @Override
                        public boolean cancel(boolean mayInterruptIfRunning) {
                            if (body.thread != null || inner.isDone()) {
                                return inner.cancel(mayInterruptIfRunning);
                            }
                            giveWay();
                            cancelled = true;
                            return true;
                        }

                        @Override
                        public GroupResult<T> join() {
                            return cancelled ? neverRan(groupKey, taskId) : inner.join();
                        }
                    };
                }
            };
        }
    },

    /** A group is forgotten although it is busy, and its next task is the first of a new one. */
    FORGETS_BUSY_GROUP {
        @Override
        public GroupExecutor create(GroupPolicy policy) {
            return new Outer(policy) {
                @Override
                public void evictGroup(String groupKey) {
                    inner.shutdown();
                    inner = GroupExecutor.newVirtualThreadExecutor(policy);
                }

                @Override
                public <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable) {
                    for (; ; ) {
                        try {
                            return inner.submit(groupKey, taskId, callable);
                        } catch (IllegalStateException forgotten) {
                            giveWay();
                        }
                    }
                }
            };
        }
    },

    /**
     * Submit checks whether the executor is closed, and then enters the task; a close may have begun and ended in
     * between.
     */
    LOOKS_THEN_ENTERS {
        @Override
        public GroupExecutor create(GroupPolicy policy) {
            return new Outer(policy) {
                private volatile boolean closed;

                @Override
                public <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable) {
                    if (closed) {
                        throw new IllegalStateException();
                    }
                    giveWay();
                    return inner.submit(groupKey, taskId, callable);
                }

                @Override
                public void close() {
                    closed = true;
                    while (inner.stats().submitted() > inner.stats().completed()) {
                        giveWay();
                    }
                }
            };
        }
    },

    /** A group is shut down by a new one in its place; a thread that has found the old one is turned away. */
    REPLACES_GROUP {
        @Override
        public GroupExecutor create(GroupPolicy policy) {
            return new Outer(policy) {
                @Override
                public void shutdownGroup(String groupKey) {
                    GroupExecutor old = inner;
                    inner = GroupExecutor.newVirtualThreadExecutor(policy);
                    old.close();
                }

                @Override
                public <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable) {
                    GroupExecutor found = inner;
                    giveWay();
                    return found.submit(groupKey, taskId, callable);
                }
            };
        }
    };

    private static <T> GroupResult<T> neverRan(String groupKey, String taskId) {
        return new GroupResult<>(groupKey, taskId, TaskStatus.CANCELLED, null, new Task.Cancelled(), 0, 0);
    }

    /** Yields inside the gap, so that the fault is found sooner, on a busy machine too. */
    @SuppressWarnings("ThreadPriorityCheck") // puts nothing in order
    private static void giveWay() {
        Thread.yield();
    }

    /** Knows the thread it runs on. */
    private static final class Noting<T> implements Callable<T> {
        private final Callable<T> body;
        volatile @Nullable Thread thread;

        Noting(Callable<T> body) {
            this.body = body;
        }

        @Override
        public T call() throws Exception {
            thread = Thread.currentThread();
            try {
                return body.call();
            } finally {
                thread = null;
            }
        }
    }

    private abstract static class Outer implements GroupExecutor {
        volatile GroupExecutor inner;

        Outer(GroupPolicy policy) {
            this.inner = GroupExecutor.newVirtualThreadExecutor(policy);
        }

        @Override
        public <T> TaskHandle<T> submit(GroupTask<T> task) {
            return submit(task.groupKey(), task.taskId(), task.callable());
        }

        @Override
        public <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable) {
            return inner.submit(groupKey, taskId, callable);
        }

        @Override
        public <T> TaskHandle<T> submitStage(
                String groupKey, String taskId, Callable<? extends CompletionStage<T>> callable) {
            return inner.submitStage(groupKey, taskId, callable);
        }

        @Override
        public <T> List<GroupResult<T>> executeAll(Collection<GroupTask<T>> tasks) {
            return inner.executeAll(tasks);
        }

        @Override
        public void evictGroup(String groupKey) {
            inner.evictGroup(groupKey);
        }

        @Override
        public void evictIdle(Duration atLeast) {
            inner.evictIdle(atLeast);
        }

        @Override
        public void setGlobalMaxInFlight(int limit) {
            inner.setGlobalMaxInFlight(limit);
        }

        @Override
        public void setMaxConcurrency(String groupKey, int limit) {
            inner.setMaxConcurrency(groupKey, limit);
        }

        @Override
        public void shutdownGroup(String groupKey) {
            inner.shutdownGroup(groupKey);
        }

        @Override
        public void shutdown() {
            inner.shutdown();
        }

        @Override
        public boolean shutdown(Duration timeout) {
            return inner.shutdown(timeout);
        }

        @Override
        public void close() {
            inner.close();
        }

        @Override
        public GroupExecutorStats stats() {
            return inner.stats();
        }

        @Override
        public Optional<GroupStats> groupStats(String groupKey) {
            return inner.groupStats(groupKey);
        }

        @Override
        public List<GroupStats> groups() {
            return inner.groups();
        }

        @Override
        public ExecutorService executor(String groupKey) {
            return inner.executor(groupKey);
        }
    }

    private abstract static class Handle<T> implements TaskHandle<T> {
        final TaskHandle<T> inner;

        Handle(TaskHandle<T> inner) {
            this.inner = inner;
        }

        @Override
        public String groupKey() {
            return inner.groupKey();
        }

        @Override
        public String taskId() {
            return inner.taskId();
        }

        @Override
        public boolean isDone() {
            return inner.isDone();
        }

        @Override
        public GroupResult<T> await() throws InterruptedException {
            return inner.await();
        }

        @Override
        public GroupResult<T> await(long timeout, TimeUnit unit) throws InterruptedException, TimeoutException {
            return inner.await(timeout, unit);
        }

        @Override
        public GroupResult<T> join() {
            return inner.join();
        }

        @Override
        public GroupResult<T> join(long timeout, TimeUnit unit) throws TimeoutException {
            return inner.join(timeout, unit);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return inner.cancel(mayInterruptIfRunning);
        }

        @Override
        public CompletableFuture<GroupResult<T>> toCompletableFuture() {
            return inner.toCompletableFuture();
        }
    }
}

package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import io.tidegate.race.Race;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Two threads and the whole executor. */
enum ExecutorRace {
    /** A task is cancelled while it starts, and another one follows it on the same thread. */
    CANCEL_AGAINST_START {
        @Override
        Race.Round round(GroupExecutor executor) {
            return new Race.Round() {
                private final AtomicInteger runs = new AtomicInteger();
                private final TaskHandle<Integer> task = executor.submit("group", "task", this::body);
                private final TaskHandle<Boolean> next = executor.submit("group", "next", this::nextBody);

                private int body() {
                    giveWay();
                    return runs.incrementAndGet();
                }

                private boolean nextBody() {
                    for (int i = 0; i < 20; i++) {
                        giveWay();
                    }
                    return Thread.currentThread().isInterrupted();
                }

                @Override
                public void first() {
                    task.cancel(true);
                }

                @Override
                public void second() {
                    next.join();
                }

                @Override
                public @Nullable String verdict() {
                    TaskStatus status = task.join().status();
                    boolean strayed = next.join().value();
                    boolean right = !strayed && status == (runs.get() == 1 ? TaskStatus.SUCCESS : TaskStatus.CANCELLED);
                    return right ? atRest(executor) : status + ", " + runs + " runs, strayed " + strayed;
                }
            };
        }
    },

    /** A group is forgotten while a task comes. */
    EVICT_AGAINST_SUBMIT {
        @Override
        Race.Round round(GroupExecutor executor) {
            return new Race.Round() {
                private final AtomicInteger inside = new AtomicInteger();
                private final AtomicInteger most = new AtomicInteger();
                private final TaskHandle<Integer> before = executor.submit("group", "before", this::body);
                private @Nullable TaskHandle<Integer> task;

                private int body() {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    for (int i = 0; i < 20; i++) {
                        giveWay();
                    }
                    return inside.decrementAndGet();
                }

                @Override
                public void first() {
                    task = executor.submit("group", "task", this::body);
                }

                @Override
                public void second() {
                    executor.evictGroup("group");
                }

                @Override
                public @Nullable String verdict() {
                    boolean right = before.join().status() == TaskStatus.SUCCESS
                            && requireNonNull(task).join().status() == TaskStatus.SUCCESS
                            && most.get() == 1;
                    executor.evictGroup("group");
                    boolean forgotten = executor.stats().groups() == 0;
                    return right && forgotten ? atRest(executor) : most + " at once, " + executor.stats();
                }
            };
        }
    },

    /** The executor is closed while a task comes. */
    CLOSE_AGAINST_SUBMIT {
        @Override
        Race.Round round(GroupExecutor executor) {
            return new Race.Round() {
                private @Nullable TaskHandle<String> task;

                @Override
                public void first() {
                    try {
                        task = executor.submit("group", "task", () -> "done");
                    } catch (IllegalStateException closed) {
                        task = null;
                    }
                }

                @Override
                public void second() {
                    executor.close();
                }

                @Override
                public @Nullable String verdict() {
                    return task == null || task.isDone() ? atRest(executor) : "not ended, " + executor.stats();
                }
            };
        }

        @Override
        Race.Round next(ExecutorFactory factory, GroupExecutor shared) {
            return round(factory.create(POLICY));
        }
    },

    /** A group is shut down while a task comes. */
    SHUTDOWN_GROUP_AGAINST_SUBMIT {
        @Override
        Race.Round round(GroupExecutor executor) {
            return new Race.Round() {
                private final TaskHandle<String> before = executor.submit("group", "before", () -> "done");
                private @Nullable TaskHandle<String> task;

                @Override
                public void first() {
                    try {
                        task = executor.submit("group", "task", () -> "done");
                    } catch (IllegalStateException turnedAway) {
                        task = null;
                    }
                }

                @Override
                public void second() {
                    executor.shutdownGroup("group");
                }

                @Override
                public @Nullable String verdict() {
                    before.join();
                    if (task == null) {
                        return "turned away";
                    }
                    task.join();
                    TaskStatus after = executor.submit("group", "after", () -> "done")
                            .join()
                            .status();
                    return after == TaskStatus.SUCCESS ? atRest(executor) : "after: " + after;
                }
            };
        }
    };

    private static final GroupPolicy POLICY =
            GroupPolicy.builder().globalMaxInFlight(2).build();

    abstract Race.Round round(GroupExecutor executor);

    Race.Round next(ExecutorFactory factory, GroupExecutor shared) {
        return round(shared);
    }

    /** Returns what went wrong, or null. */
    @Nullable
    String run(ExecutorFactory factory, long rounds, Duration limit) {
        try (GroupExecutor shared = factory.create(POLICY)) {
            return Race.run(rounds, limit, () -> next(factory, shared));
        }
    }

    /** Gives the two threads a moment to meet in. */
    @SuppressWarnings("ThreadPriorityCheck") // puts nothing in order
    private static void giveWay() {
        Thread.yield();
    }

    private static @Nullable String atRest(GroupExecutor executor) {
        GroupExecutorStats stats = executor.stats();
        boolean clean = stats.running() + stats.waiting() + stats.inFlight() == 0
                && stats.submitted() == stats.completed() + stats.rejected();
        return clean ? null : stats.toString();
    }
}

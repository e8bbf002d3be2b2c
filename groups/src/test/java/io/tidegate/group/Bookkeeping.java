package io.tidegate.group;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permits of a few groups, as a check drives them: the library's, the reference, or broken ones.
 *
 * @param <W> a task
 */
interface Bookkeeping<W> {
    /** The limits of one group. */
    record Limits(int concurrency, int inFlight, int threshold) {}

    /** One group at one instant. */
    record Counts(int running, int inFlight, int waiting) {}

    interface Factory {
        Bookkeeping<?> create(int limit, int threshold, List<Limits> limits);
    }

    /** Returns a new task, not admitted yet. */
    W task(int group, int number);

    int number(W task);

    GroupQueue.Admission admit(W task);

    /** The next three methods each return the task that was started, or null. */
    @Nullable
    W end(W task);

    @Nullable
    W endBody(W task);

    @Nullable
    W endFlight(W task);

    boolean withdraw(W task);

    /** Sets the common limit. Returns the tasks that were started, in order. */
    List<W> setLimit(int limit);

    /** Sets how many tasks of a group may run. Returns the tasks that were started, in order. */
    List<W> setConcurrency(int group, int limit);

    boolean waits(W task);

    Counts counts(int group);

    /** How many permits are out. */
    int out();

    /** How many wait in all. */
    int waiting();
}

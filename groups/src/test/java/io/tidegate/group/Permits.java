package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The permits of two groups for checks outside of this package. Tasks are numbers, those of a group all even or all
 * odd. Steps with one task come one at a time, so that its place is known.
 */
public final class Permits {
    private final Slots<?> slots;

    private Permits(Slots<?> slots) {
        this.slots = slots;
    }

    /** The common limit, with 0 for none, the limits of each group, and how many tasks there are. */
    public record Shape(int limit, int threshold, int concurrency, int inFlight, int queueThreshold, int tasks) {}

    /** The library's permits. */
    public static Permits tidegate(Shape shape) {
        return create(TrueGroups::new, shape);
    }

    /** The reference, for one thread. */
    public static Permits reference(Shape shape) {
        return create(ReferenceGroups::new, shape);
    }

    /** Broken ones. */
    public static Permits broken(BrokenPermits fault, Shape shape) {
        return create(fault, shape);
    }

    private static Permits create(Bookkeeping.Factory factory, Shape shape) {
        Bookkeeping.Limits limits = new Bookkeeping.Limits(shape.concurrency, shape.inFlight, shape.queueThreshold);
        int limit = shape.limit == 0 ? GroupPolicy.UNLIMITED : shape.limit;
        int threshold = shape.threshold == 0 ? GroupPolicy.UNLIMITED : shape.threshold;
        return new Permits(new Slots<>(factory.create(limit, threshold, List.of(limits, limits)), shape));
    }

    public String admit(int task) {
        return slots.get(task).admit();
    }

    /** Ends a running task. Returns which task was started, or why none. */
    public String end(int task) {
        return slots.get(task).end();
    }

    /** Ends the body of a task that runs. */
    public String endBody(int task) {
        return slots.get(task).endBody();
    }

    /** Ends a task whose body has ended. */
    public String endFlight(int task) {
        return slots.get(task).endFlight();
    }

    public boolean withdraw(int task) {
        return slots.get(task).withdraw();
    }

    /** Sets how many tasks of a group may run. Returns the tasks that were started. */
    public String setConcurrency(int group, int limit) {
        return slots.setConcurrency(group, limit);
    }

    /** Takes a task one step further: admits it, or ends it if it runs. */
    public String comeOrGo(int task) {
        return slots.get(task).comeOrGo();
    }

    /** A group's running tasks, those in flight, and those that wait. */
    public String counts(int group) {
        return slots.counts(group);
    }

    private static final class Slots<W> {
        final Bookkeeping<W> permits;
        final List<Slot> all;

        Slots(Bookkeeping<W> permits, Shape shape) {
            this.permits = permits;
            this.all = IntStream.range(0, shape.tasks).mapToObj(Slot::new).toList();
        }

        Slot get(int task) {
            return all.get(task);
        }

        String counts(int group) {
            return permits.counts(group).toString();
        }

        String setConcurrency(int group, int limit) {
            return permits.setConcurrency(group, limit).stream()
                    .map(permits::number)
                    .toList()
                    .toString();
        }

        private final class Slot {
            private final int number;
            private @Nullable W task;
            private boolean bodyOver;

            Slot(int number) {
                this.number = number;
            }

            synchronized String admit() {
                if (task != null) {
                    return "is in";
                }
                W mine = permits.task(number % 2, number);
                task = mine;
                GroupQueue.Admission answer = permits.admit(mine);
                if (answer != GroupQueue.Admission.STARTED && answer != GroupQueue.Admission.WAITING) {
                    task = null;
                }
                return answer.toString();
            }

            synchronized String end() {
                return runs() ? started(permits.end(over())) : "does not run";
            }

            synchronized String endBody() {
                if (!runs()) {
                    return "does not run";
                }
                bodyOver = true;
                return started(permits.endBody(requireNonNull(task)));
            }

            synchronized String endFlight() {
                if (!bodyOver) {
                    return "is not over";
                }
                return started(permits.endFlight(over()));
            }

            synchronized boolean withdraw() {
                if (task == null || bodyOver || !permits.withdraw(task)) {
                    return false;
                }
                task = null;
                return true;
            }

            synchronized String comeOrGo() {
                return task == null ? admit() : end();
            }

            private boolean runs() {
                return task != null && !bodyOver && !permits.waits(task);
            }

            private W over() {
                W mine = requireNonNull(task);
                task = null;
                bodyOver = false;
                return mine;
            }

            private String started(@Nullable W next) {
                return next == null ? "starts nobody" : "starts " + permits.number(next);
            }
        }
    }
}

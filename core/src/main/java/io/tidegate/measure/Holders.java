package io.tidegate.measure;

import io.tidegate.Holder;
import io.tidegate.HolderWatch;
import io.tidegate.Reading;
import io.tidegate.stage.Stages;
import io.tidegate.time.Nanos;
import io.tidegate.time.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The holders of a part's permits. */
public final class Holders {
    /*
     * While this is off, it costs a part only two checks: whether there is a watch, which never changes, and whether a
     * flight recording asks for holds, a check that the compiler removes until the first recording. While it is on,
     * each admitted call is put into a map, in the order of admission. The call's number in the map, marked by a bit
     * that no other stamp has, is the stamp with which the call leaves. The stamp that the call would have had
     * otherwise is kept in the map.
     *
     * For a watch, one look at a time is planned: for the moment when the oldest unreported holder becomes too old. A
     * holder that is gone by then is not seen; without holders no look is planned. A reported holder moves to another
     * map, so that looks cost nothing for holders that never leave.
     */
    private static final long HELD = 1L << 62;
    private static final StackWalker STACKS = StackWalker.getInstance();
    private static final String OWN = "io.tidegate.";
    private static final int MOST_FRAMES = 64; // enough to show the caller's code; a stack may be long
    private static final int MOST_WALKED = 256;

    /* The least time between looks, so that one look sees many holders that come in quick succession. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Caller NOBODY = new Caller("", "", List.of());

    static {
        // The first use comes here, and not near the end of a caller's stack: a class whose initialization fails once
        // never works.
        Caller.stack();
    }

    private final String kind;
    private final String source;
    private final @Nullable HolderWatch watch;
    private volatile @Nullable Table table; // made for the first recorded holder

    /**
     * Makes the holders of a part.
     *
     * @param watch null: off
     */
    public Holders(String kind, String source, @Nullable HolderWatch watch) {
        this.kind = kind;
        this.source = source;
        this.watch = watch;
    }

    /** Returns whether holders need not be recorded. */
    public boolean isOff() {
        return watch == null && !FlightEvents.recordsHolds();
    }

    /** Returns this thread as a caller; null without a watch, or without memory. Throws nothing. */
    public @Nullable Caller caller() {
        try {
            return watch == null ? null : Caller.now(table(), watch);
        } catch (Throwable outOfMemory) {
            return null;
        }
    }

    /**
     * Records a call that was admitted on this thread. Throws nothing: without memory, the holder is not recorded.
     *
     * @param stamp the stamp with which the call would leave if it were not recorded
     * @return the stamp with which it leaves
     */
    public long begin(long stamp) {
        return begin(stamp, caller());
    }

    /** As {@link #begin(long)}, for a caller that was recorded earlier, perhaps on another thread. */
    public long begin(long stamp, @Nullable Caller caller) {
        try {
            return table().begin(stamp, caller) | HELD;
        } catch (Throwable outOfMemory) {
            return stamp;
        }
    }

    private Table table() {
        Table made = table;
        return made == null ? makeTable() : made;
    }

    private synchronized Table makeTable() {
        Table made = table;
        if (made == null) {
            made = new Table(this);
            table = made;
        }
        return made;
    }

    /** Returns whether this is a stamp from {@link #begin}. */
    public static boolean isHeld(long stamp) {
        return (stamp & HELD) != 0;
    }

    /** Returns the stamp inside: the one that was given to {@link #begin}, or to {@link #restamp} later. */
    public long stampIn(long stamp) {
        Held there = table().find(stamp & ~HELD);
        return there == null ? 0 : there.stamp;
    }

    /** Replaces the stamp inside: the stamp that the call leaves with stays the same. */
    public long restamp(long stamp, long inside) {
        Held there = table().find(stamp & ~HELD);
        if (there != null) {
            there.stamp = inside;
        }
        return stamp;
    }

    /** Removes the record of a call that was not admitted after all. */
    public void drop(long stamp) {
        if (isHeld(stamp)) {
            table().remove(stamp & ~HELD);
        }
    }

    /**
     * Ends the record of a call that leaves.
     *
     * @return the stamp inside, as {@link #stampIn}
     */
    public long end(long stamp, String outcome) {
        Held there = table().remove(stamp & ~HELD);
        if (there == null) {
            return 0;
        }
        FlightEvents.held(there.event, outcome);
        return there.stamp;
    }

    /** Reports what the watch knows, if there is one. */
    public void read(Reading to) {
        if (watch != null) {
            Table seen = table();
            to.gauge("held.oldest", seen.oldestNanos() / 1e9);
            to.count("held.long", seen.reports.sum());
        }
    }

    /** The recorded holders. */
    private static final class Table {
        final String kind;
        final String source;
        final @Nullable HolderWatch watch;
        final long limit;
        final AtomicLong numbers = new AtomicLong();
        final AtomicLong callers = new AtomicLong();
        final ConcurrentSkipListMap<Long, Held> held = new ConcurrentSkipListMap<>();
        final ConcurrentSkipListMap<Long, Held> reported = new ConcurrentSkipListMap<>();
        final AtomicBoolean planned = new AtomicBoolean();
        final LongAdder reports = new LongAdder();

        Table(Holders holders) {
            this.kind = holders.kind;
            this.source = holders.source;
            this.watch = holders.watch;
            this.limit = watch == null ? Long.MAX_VALUE : Nanos.of(watch.olderThan());
        }

        long begin(long stamp, @Nullable Caller caller) {
            long number = numbers.incrementAndGet();
            held.put(number, new Held(stamp, caller == null ? NOBODY : caller, FlightEvents.hold(kind, source)));
            try {
                planLook(limit);
            } catch (Throwable outOfStack) {
                // the next call plans a look
            }
            return number;
        }

        @Nullable
        Held find(long number) {
            Held there = held.get(number);
            return there == null ? reported.get(number) : there; // a holder moves only from the first map to the second
        }

        @Nullable
        Held remove(long number) {
            Held there = held.remove(number);
            if (there == null) {
                there = reported.remove(number);
            }
            if (there != null) {
                there.gone = true;
            }
            return there;
        }

        long oldestNanos() {
            long now = System.nanoTime();
            return Math.max(age(held.firstEntry(), now), age(reported.firstEntry(), now));
        }

        private static long age(Map.@Nullable Entry<Long, Held> oldest, long now) {
            return oldest == null ? 0 : now - oldest.getValue().since;
        }

        private void planLook(long inNanos) {
            if (watch != null && planned.compareAndSet(false, true)) {
                try {
                    Timekeeper.later(() -> look(watch), inNanos, TimeUnit.NANOSECONDS);
                } catch (Throwable notNow) {
                    planned.set(false); // the next call plans a look
                }
            }
        }

        private void look(HolderWatch watch) {
            long now = System.nanoTime();
            long next = -1;
            try {
                for (Map.Entry<Long, Held> entry : held.entrySet()) {
                    Held there = entry.getValue();
                    long left = limit - (now - there.since);
                    if (left > 0) {
                        next = left;
                        break;
                    }
                    if (tryMoveToReported(entry.getKey(), there)) {
                        Timekeeper.now(() -> tell(watch, there)); // a listener may block
                    }
                }
            } finally {
                planned.set(false);
            }
            if (next >= 0) {
                planLook(Math.max(next, PAUSE_NANOS));
            } else if (!held.isEmpty()) {
                planLook(limit); // a holder came after the look
            }
        }

        /*
         * One thread removes a holder from the first map: this thread, or that of the call that leaves. Returns whether
         * it was this one.
         */
        private boolean tryMoveToReported(Long number, Held there) {
            reported.put(number, there);
            if (held.remove(number) != null) {
                return true;
            }
            reported.remove(number);
            return false;
        }

        private void tell(HolderWatch watch, Held there) {
            if (!there.gone) {
                reports.increment();
                Duration age = Duration.ofNanos(System.nanoTime() - there.since);
                Caller by = there.caller;
                watch.listener().accept(new Holder(kind, source, by.thread, by.owner, age, by.stack));
            }
        }
    }

    /** A call that was admitted. */
    private static final class Held {
        volatile long stamp;
        final long since = System.nanoTime();
        final Caller caller;
        final FlightEvents.@Nullable HoldEvent event;
        volatile boolean gone;

        Held(long stamp, Caller caller, FlightEvents.@Nullable HoldEvent event) {
            this.stamp = stamp;
            this.caller = caller;
            this.event = event;
        }
    }

    /** The thread and owner of a call that asks for a permit. */
    public static final class Caller {
        final String thread;
        final String owner;
        final List<StackTraceElement> stack;

        private Caller(String thread, String owner, List<StackTraceElement> stack) {
            this.thread = thread;
            this.owner = owner;
            this.stack = stack;
        }

        private static Caller now(Table table, HolderWatch watch) {
            boolean isSampled = table.callers.incrementAndGet() % watch.stackOneIn() == 0;
            return new Caller(thread(), owner(watch), isSampled ? stack() : List.of());
        }

        /* A virtual thread has no name unless the program names it. */
        private static String thread() {
            Thread thread = Thread.currentThread();
            return thread.getName().isEmpty() ? thread.toString() : thread.getName();
        }

        private static String owner(HolderWatch watch) {
            try {
                String owner = watch.owner().get();
                return owner == null ? "" : owner;
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
                return "";
            }
        }

        private static List<StackTraceElement> stack() {
            return STACKS.walk(frames -> frames.limit(MOST_WALKED)
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .dropWhile(frame -> frame.getClassName().startsWith(OWN))
                    .limit(MOST_FRAMES)
                    .toList());
        }
    }
}

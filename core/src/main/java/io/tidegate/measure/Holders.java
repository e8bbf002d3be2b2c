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
     * Off, this costs a part only two checks: whether there is a watch, which never changes, and whether a flight
     * recording wants holds, which the compiler knows. On, each admitted call is put into a map, in the order of
     * admission. Its number there, marked by a bit that no other stamp has, is the stamp with which it leaves. The
     * stamp that it would have had otherwise is kept with it.
     *
     * For a watch one look at a time is planned, at the moment when the oldest holder that was not reported will be too
     * old. A holder that is gone by then is not seen; without holders no look is planned. A reported holder moves to a
     * map of its own, so that a look costs nothing for holders that never leave.
     */
    private static final long HELD = 1L << 62;
    private static final StackWalker STACKS = StackWalker.getInstance();
    private static final String OWN = "io.tidegate.";
    private static final int MOST_FRAMES = 64; // the asking code is among these, and a stack may be long
    private static final int MOST_WALKED = 256;

    /* The least time between looks, so that many holders that come one after the other are seen in one look. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Caller NOBODY = new Caller("", "", List.of());

    static {
        // Here, and not at the end of a caller's stack: a class whose initialization fails once never works.
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

    /** Whether holders need not be recorded. */
    public boolean isOff() {
        return watch == null && !FlightEvents.recordsHolds();
    }

    /** The caller on this thread; null without a watch. Throws nothing. */
    public @Nullable Caller caller() {
        try {
            return watch == null ? null : Caller.now(table(), watch);
        } catch (Throwable outOfMemory) {
            return null;
        }
    }

    /**
     * A call on this thread was admitted. Throws nothing: a holder that cannot be recorded is not recorded.
     *
     * @param stamp the stamp with which the call would leave otherwise
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

    /** Whether this is a stamp from {@link #begin}. */
    public static boolean isHeld(long stamp) {
        return (stamp & HELD) != 0;
    }

    /** The stamp that {@link #begin} was given, or the one that {@link #restamp} has put there. */
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

    /** The call was not admitted after all. */
    public void drop(long stamp) {
        if (isHeld(stamp)) {
            table().remove(stamp & ~HELD);
        }
    }

    /**
     * The call leaves.
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
            to.count("held.long", seen.tells.sum());
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
        final ConcurrentSkipListMap<Long, Held> told = new ConcurrentSkipListMap<>();
        final AtomicBoolean planned = new AtomicBoolean();
        final LongAdder tells = new LongAdder();

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
            return there == null ? told.get(number) : there; // it moves in this direction only
        }

        @Nullable
        Held remove(long number) {
            Held there = held.remove(number);
            if (there == null) {
                there = told.remove(number);
            }
            if (there != null) {
                there.gone = true;
            }
            return there;
        }

        long oldestNanos() {
            long now = System.nanoTime();
            return Math.max(age(held.firstEntry(), now), age(told.firstEntry(), now));
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
                    if (hasMoved(entry.getKey(), there)) {
                        Timekeeper.now(() -> tell(watch, there)); // a listener that blocks must not keep the next look
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

        /* The thread that removes a holder from the first map has it: this one, or that of the call that leaves. */
        private boolean hasMoved(Long number, Held there) {
            told.put(number, there);
            if (held.remove(number) != null) {
                return true;
            }
            told.remove(number);
            return false;
        }

        private void tell(HolderWatch watch, Held there) {
            if (!there.gone) {
                tells.increment();
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

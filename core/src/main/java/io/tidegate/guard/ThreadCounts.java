package io.tidegate.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the calls that begin and the calls that succeed, as cheaply as possible: nearly every call does both. */
final class ThreadCounts {
    /*
     * Two atomic additions would cost more than the rest of a call. So a thread that keeps calling gets counts of its
     * own. No other thread writes them, so a read and an ordered write are enough. Threads without counts share adders.
     *
     * A thread's number determines the place of its counts. No thread ever loses its place: a thread whose place is
     * taken shares the adders. Once the owner of a place is dead, its counts are final; the next owner's counts replace
     * them and go on from their values. So a count never falls. The reference to the thread is weak, so that counts
     * keep no thread alive.
     *
     * A sharing thread asks for counts of its own seldom, by chance. So threads that make only a few calls leave few
     * counts behind, and nothing has to count how often they call. A thread asks as a call begins, when there is room
     * on the stack.
     *
     * A call's begin happens-before its end, whichever threads count them. A reader that reads successes first and
     * begins afterwards therefore never finds more successes than begins.
     */
    static final int PLACES = 64;

    private static final int ASKS_ONE_IN = 1_024;
    private static final int PLACE_SHIFT = 1 + Integer.numberOfLeadingZeros(PLACES);
    private static final VarHandle BEGUN = count("begun");
    private static final VarHandle SUCCEEDED = count("succeeded");

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<ThreadCounts, AtomicReferenceArray> PLACES_OF =
            AtomicReferenceFieldUpdater.newUpdater(ThreadCounts.class, AtomicReferenceArray.class, "places");

    private final LongAdder sharedBegun = new LongAdder();
    private final LongAdder sharedSucceeded = new LongAdder();
    private volatile @Nullable AtomicReferenceArray<@Nullable ThreadCount> places;

    private static VarHandle count(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(ThreadCount.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Counts a begin.
     *
     * @param own the counts of this thread, if it has any
     * @return how many begins those had before; negative without them
     */
    long begin(@Nullable ThreadCount own) {
        if (own != null) {
            long before = own.begun;
            BEGUN.setRelease(own, before + 1);
            return before;
        }
        sharedBegun.increment();
        if (ThreadLocalRandom.current().nextInt(ASKS_ONE_IN) == 0) {
            ask();
        }
        return -1;
    }

    /** Counts a success; {@code own} as in {@link #begin}. */
    void succeed(@Nullable ThreadCount own) {
        if (own != null) {
            SUCCEEDED.setRelease(own, own.succeeded + 1);
        } else {
            sharedSucceeded.increment();
        }
    }

    /** The counts of this thread, if it has any. */
    @Nullable
    ThreadCount own() {
        AtomicReferenceArray<@Nullable ThreadCount> all = places;
        if (all == null) {
            return null;
        }
        Thread thread = Thread.currentThread();
        ThreadCount own = all.get(place(thread));
        return own != null && own.refersTo(thread) ? own : null;
    }

    static int place(Thread thread) {
        return ((int) thread.getId() * 0x9E3779B9) >>> PLACE_SHIFT;
    }

    /** Makes counts for this thread, if its place is free. The first caller makes only the table of places. */
    void ask() {
        AtomicReferenceArray<@Nullable ThreadCount> all = places;
        if (all == null) {
            PLACES_OF.compareAndSet(this, null, new AtomicReferenceArray<@Nullable ThreadCount>(PLACES));
            return;
        }
        Thread thread = Thread.currentThread();
        int place = place(thread);
        ThreadCount last = all.get(place);
        if (last == null) {
            all.compareAndSet(place, null, new ThreadCount(thread, 0, 0));
        } else if (last.isOrphaned()) {
            all.compareAndSet(place, last, new ThreadCount(thread, last.begun, last.succeeded));
        }
    }

    long begun() {
        return sharedBegun.sum() + sum(BEGUN);
    }

    long succeeded() {
        return sharedSucceeded.sum() + sum(SUCCEEDED);
    }

    private long sum(VarHandle count) {
        AtomicReferenceArray<@Nullable ThreadCount> all = places;
        long sum = 0;
        for (int i = 0; all != null && i < PLACES; i++) {
            ThreadCount each = all.get(i);
            if (each != null) {
                sum += (long) count.getAcquire(each);
            }
        }
        return sum;
    }

    /** The counts of one thread. Counts of two threads are never in one cache line. */
    static final class ThreadCount extends WeakReference<Thread> {
        long begun;
        long succeeded;

        @SuppressWarnings("unused")
        private long a0, a1, a2, a3, a4, a5, a6, a7;

        ThreadCount(Thread thread, long begun, long succeeded) {
            super(thread);
            this.begun = begun;
            this.succeeded = succeeded;
        }

        boolean isOrphaned() {
            Thread thread = get();
            return thread == null || !thread.isAlive();
        }
    }
}

package io.tidegate.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongConsumer;

/** Measures what this thread allocates. */
public final class Allocations {
    /** What the measurement itself and the compiler may allocate. */
    public static final long SLACK = 16_384;

    private static final int ROUNDS = 5;

    private static final MethodHandle ALLOCATED_BYTES = allocatedBytes();

    private Allocations() {}

    /**
     * Returns the bytes that so many calls allocate, after as many calls that are not measured. Each call gets its
     * number. If that is more than the slack, the calls are repeated, and the least counts: code that grows once, such
     * as on a thread that was held up, does so in one round, and code that allocates in each call in all.
     */
    public static long of(int calls, LongConsumer call) {
        repeat(calls, call);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least >= SLACK; round++) {
            long before = soFar();
            repeat(calls, call);
            least = Math.min(least, soFar() - before);
        }
        return least;
    }

    private static void repeat(int calls, LongConsumer call) {
        for (long i = 0; i < calls; i++) {
            call.accept(i);
        }
    }

    private static long soFar() {
        try {
            return (long) ALLOCATED_BYTES.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /* By reflection, because core's module does not require the module of that class. */
    private static MethodHandle allocatedBytes() {
        try {
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(type, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.tidegate.lab.play;

import io.tidegate.lab.load.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A stream of equal calls, and what becomes of them. */
final class Lane {
    /** How long a caller waits for an answer. */
    static final int PATIENCE_MILLIS = 1_000;

    /* After a pause of the whole process, not all missed calls are made at once. */
    private static final int MOST_AT_ONCE = 20;

    private final String name;
    private final Supplier<CompletionStage<Integer>> call;
    private final IntSupplier inside;
    private final Time time;
    private final Tally tally;
    private long last;
    private double due;

    /**
     * Makes a lane.
     *
     * @param call makes a call and returns at once
     * @param inside how many requests are inside the service
     */
    Lane(String name, Supplier<CompletionStage<Integer>> call, IntSupplier inside, Time time) {
        this.name = name;
        this.call = call;
        this.inside = inside;
        this.time = time;
        this.tally = new Tally(time);
        this.last = time.nanos();
    }

    /** Makes the calls that have become due at this rate since the last time. For one thread. */
    void send(int perSecond) {
        long now = time.nanos();
        due = Math.min(MOST_AT_ONCE, due + (now - last) * (double) perSecond / TimeUnit.SECONDS.toNanos(1));
        last = now;
        for (; due >= 1; due--) {
            callOnce();
        }
    }

    private void callOnce() {
        long start = time.nanos();
        tally.offered();
        // The caller gives up; the request goes on.
        var unused = call.get()
                .toCompletableFuture()
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((status, error) -> tally.ended(time.nanos() - start, error));
    }

    Tally.Rates rates() {
        return tally.rates();
    }

    int inside() {
        return inside.getAsInt();
    }

    Map<String, Object> state() {
        Tally.Rates rates = rates();
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("name", name);
        state.put("offered", rates.offered());
        state.put("goodput", rates.goodput());
        state.put("refused", rates.refused());
        state.put("late", rates.late());
        state.put("failed", rates.failed());
        state.put("p99", rates.p99Millis());
        state.put("inside", inside());
        return state;
    }
}

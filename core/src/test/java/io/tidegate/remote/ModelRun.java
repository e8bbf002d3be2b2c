package io.tidegate.remote;

import io.tidegate.remote.broken.RemoteBulkheadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One random script, played against a bulkhead and against the reference, and compared after every step. It prefers
 * boundaries: a millisecond around a time-out, a cap around what is in flight, few names, small bounds.
 */
final class ModelRun {
    private static final long LATE = Long.MAX_VALUE - 1_000;

    private final Random random;
    private final List<String> script = new ArrayList<>();
    private final ReferenceBulkhead.Settings settings;
    private final SideBySide both;
    private final SideBySide.Both foreign;
    private final int names;
    private long now;

    private ModelRun(RemoteBulkheadFactory factory, long seed) {
        this.random = new Random(seed);
        this.settings = settings();
        this.both = new SideBySide(factory, settings);
        this.names = 2 + random.nextInt(10);
        this.now = random.nextInt(10) == 0 ? LATE : random.nextInt(3);
        BulkheadPermit permit = RemoteBulkhead.builder(1)
                .eventCapacity(1)
                .latencyWindow(1)
                .build()
                .acquire(true, "elsewhere", 0)
                .orElseThrow();
        this.foreign = new SideBySide.Both(permit, permit);
    }

    static void play(RemoteBulkheadFactory factory, long seed, int steps) {
        ModelRun run = new ModelRun(factory, seed);
        try {
            run.both.compare();
            for (int i = 0; i < steps; i++) {
                run.step();
                run.both.compare();
            }
            run.giveAllBack();
        } catch (AssertionError error) {
            throw new AssertionError(
                    "seed " + seed + ", " + run.settings + ", after " + run.script + ": " + error.getMessage(), error);
        }
    }

    private void giveAllBack() {
        script.add("give all back");
        for (SideBySide.Both permit : List.copyOf(both.out())) {
            both.release(permit, now);
        }
        both.checkLog();
        both.compare();
        if (both.reference.inFlight() != 0) {
            throw new AssertionError("in flight at the end: " + both.reference.inFlight());
        }
    }

    private ReferenceBulkhead.Settings settings() {
        return new ReferenceBulkhead.Settings(
                1 + random.nextInt(4),
                random.nextInt(4) == 0
                        ? BackpressurePolicy.reject()
                        : BackpressurePolicy.queue(1 + random.nextInt(4), timeout()),
                1 + random.nextInt(10),
                1 + random.nextInt(random.nextBoolean() ? 4 : 30),
                1 + random.nextInt(8));
    }

    private long timeout() {
        return random.nextInt(10) == 0 ? Long.MAX_VALUE - random.nextInt(2) : 1 + random.nextInt(6);
    }

    // Steps

    private void step() {
        moveTime();
        int die = random.nextInt(100);
        if (die < 35) {
            acquire();
        } else if (die < 55) {
            poll();
        } else if (die < 72) {
            release();
        } else if (die < 80) {
            cancel();
        } else if (die < 90) {
            setCap();
        } else if (die < 97) {
            record();
        } else {
            misuse();
        }
    }

    private void moveTime() {
        int die = random.nextInt(20);
        if (die < 10) {
            return;
        }
        if (die < 14) {
            now++;
        } else if (die < 18) {
            toATimeout();
        } else if (die < 19) {
            now += random.nextInt(10);
        } else {
            now -= random.nextInt(10);
        }
        now = now < 0 ? 0 : now;
    }

    /** Returns a time within a millisecond of the end of a request's wait. */
    private void toATimeout() {
        List<Long> since = both.reference.waitingSince();
        if (!since.isEmpty() && settings.policy() instanceof BackpressurePolicy.Queue queue) {
            long start = since.get(random.nextInt(since.size()));
            long end = queue.timeoutMs() > Long.MAX_VALUE - 1 - start ? Long.MAX_VALUE - 1 : start + queue.timeoutMs();
            now = end - 1 + random.nextInt(3);
        }
    }

    private String name() {
        return "r" + random.nextInt(names);
    }

    private void acquire() {
        boolean capable = random.nextInt(10) > 0;
        String name = name();
        script.add((capable ? "acquire " : "acquire without capability ") + name + " at " + now);
        both.acquire(capable, name, now);
    }

    private void poll() {
        String name = name();
        script.add("poll " + name + " at " + now);
        both.pollQueued(name, now);
    }

    private void cancel() {
        String name = name();
        script.add("cancel " + name + " at " + now);
        both.cancelQueued(name, now);
    }

    private void release() {
        if (!both.back().isEmpty() && random.nextInt(8) == 0) {
            release("again", both.back().get(random.nextInt(both.back().size())));
        } else if (random.nextInt(20) == 0) {
            release("another's", foreign);
        } else if (!both.out().isEmpty()) {
            release("own", both.out().get(random.nextInt(both.out().size())));
        }
    }

    private void release(String which, SideBySide.Both permit) {
        script.add("release " + which + " " + permit.permit().permitId() + " at " + now);
        both.release(permit, now);
    }

    private void setCap() {
        int around = random.nextBoolean() ? both.reference.inFlight() : both.reference.maxInFlight();
        int cap = around - 1 + random.nextInt(3);
        script.add("cap " + cap + " at " + now);
        both.setMaxInFlight(cap, now);
    }

    private void record() {
        long latency = random.nextInt(20) == 0 ? Long.MAX_VALUE : random.nextInt(14);
        if (random.nextBoolean()) {
            script.add("latency " + latency + " at " + now);
            both.recordForegroundLatency(latency, now);
        } else {
            script.add("latency " + latency);
            both.recordForegroundLatency(latency);
        }
    }

    private void misuse() {
        int kind = random.nextInt(8);
        script.add("misuse " + kind);
        switch (kind) {
            case 0 -> both.acquire(true, " ", now);
            case 1 -> both.acquire(random.nextBoolean(), name(), -1);
            case 2 -> both.pollQueued(name(), -1);
            case 3 -> both.cancelQueued(name(), Long.MIN_VALUE);
            case 4 -> both.setMaxInFlight(random.nextInt(2) - 1, now);
            case 5 -> both.setMaxInFlight(1 + random.nextInt(3), -1);
            case 6 -> both.recordForegroundLatency(-1);
            default -> both.recordForegroundLatency(random.nextInt(2) - 1, -now - 1);
        }
    }
}

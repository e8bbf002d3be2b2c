package io.tidegate.rate;

import io.tidegate.Idle;
import io.tidegate.rate.broken.LimiterFactory;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Plays a random script on a limiter and on the reference, and compares everything visible after each step. */
final class ModelRun {
    private static final long[] PERMITS = {
        1,
        2,
        3,
        7,
        10,
        1_000,
        12_345,
        1_234_567,
        999_999_937,
        1_000_000_000,
        1_234_567_890_123L,
        86_399_999_999_999L,
        999_999_999_999_999_989L
    };
    private static final Duration[] PERIODS = {
        Duration.ofNanos(1),
        Duration.ofNanos(1_009),
        Duration.ofMillis(1),
        Duration.ofSeconds(1),
        Duration.ofMinutes(1),
        Duration.ofDays(1),
        Duration.ofDays(31)
    };

    private final long seed;
    private final Random random;
    private final ManualTime time;
    private final RateLimiter limiter;
    private final ReferenceLimiter reference;
    private final boolean changesRate;
    private final boolean hasBurst;
    private final List<String> story = new ArrayList<>();
    private final List<Integer> started = new ArrayList<>();
    private final List<Integer> expectedStarted = new ArrayList<>();
    private final List<CompletableFuture<String>> returned = new ArrayList<>();
    private boolean wentBack;

    private ModelRun(LimiterFactory factory, long seed, boolean changesRate) {
        this.seed = seed;
        this.random = new Random(seed);
        this.changesRate = changesRate;
        this.time = new ManualTime(random.nextBoolean() ? 0 : Long.MAX_VALUE - random.nextInt(1_000_000_000));
        long permits = permits();
        Duration period = PERIODS[random.nextInt(PERIODS.length)];
        hasBurst = random.nextBoolean();
        long givenBurst = hasBurst ? 1 + random.nextInt(20) : 0;
        long burst = hasBurst ? givenBurst : permits;
        long step = Math.max(1, period.toNanos() / permits);
        long maxWait =
                random.nextBoolean() ? 0 : Math.min(RateLimiter.LARGEST, step * random.nextInt(8) + random.nextInt(3));
        story.add("rate " + permits + " in " + period + ", burst " + burst + ", max wait " + maxWait);
        this.limiter = factory.create(permits, period, givenBurst, Duration.ofNanos(maxWait), time, time.scheduler);
        this.reference = new ReferenceLimiter(permits, period, burst, maxWait);
    }

    private long permits() {
        long permits = PERMITS[random.nextInt(PERMITS.length)];
        return random.nextInt(4) == 0 ? 1 + random.nextInt(2_000_000_000) : permits;
    }

    static void play(LimiterFactory factory, long seed, int steps, boolean changesRate) {
        ModelRun run = new ModelRun(factory, seed, changesRate);
        try {
            for (int i = 0; i < steps; i++) {
                run.step();
                run.compare();
            }
            run.check("RL-1", run.wentBack ? null : run.reference.tooManyInSpan(), null);
        } catch (RuntimeException | AssertionError wrong) {
            String last = String.join("\n", run.story.subList(Math.max(0, run.story.size() - 25), run.story.size()));
            throw new AssertionError("seed " + seed + ", " + run.story.get(0) + "\n" + last + "\n" + wrong, wrong);
        }
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> tryAcquire(1);
            case 3 ->
                tryAcquire(1 + (long) (random.nextDouble() * (random.nextBoolean() ? reference.burst() : 1L << 31)));
            case 4, 5, 6 -> submit();
            case 7 -> endOne();
            case 8 -> lookAtTime();
            case 9 -> changeRate();
            case 10 -> stepBack();
            default -> advance();
        }
    }

    private void tryAcquire(long permits) {
        long wanted = Math.min(Math.max(1, permits), reference.burst());
        story.add("tryAcquire " + wanted);
        check("nanosUntil", limiter.nanosUntil(wanted), clamped(reference.nanosUntil(wanted)));
        check("tryAcquire", limiter.tryAcquire(wanted), reference.tryAcquire(wanted));
    }

    private void submit() {
        int number = returned.size();
        story.add("submit " + number);
        CompletableFuture<String> operation = new CompletableFuture<>();
        returned.add(limiter.submit(() -> {
                    started.add(number);
                    return operation;
                })
                .toCompletableFuture());
        BigInteger answer = reference.submit(number);
        if (answer.signum() == 0) {
            expectedStarted.add(number);
        }
        check("refused", returned.get(number).isDone(), answer.signum() < 0);
        if (answer.signum() < 0 && limiter instanceof ArrivalLimiter) {
            check("retryAfter", retryAfter(returned.get(number)), clamped(answer.negate()));
        }
    }

    private static long retryAfter(CompletableFuture<?> refused) {
        try {
            refused.join();
            throw new AssertionError("not refused");
        } catch (CompletionException e) {
            return ((RateLimitedException) e.getCause()).retryAfter().toNanos();
        }
    }

    private static long clamped(BigInteger nanos) {
        return nanos.min(BigInteger.valueOf(ArrivalTime.NEVER)).longValueExact();
    }

    private void endOne() {
        if (!returned.isEmpty()) {
            int number = random.nextInt(returned.size());
            story.add("end " + number);
            returned.get(number).complete("by hand");
            reference.line.remove((Integer) number);
        }
    }

    private void lookAtTime() {
        story.add("timers");
        time.runDue();
        expectedStarted.addAll(reference.look());
    }

    private void changeRate() {
        if (!changesRate) {
            return;
        }
        long permits = permits();
        Duration period = PERIODS[random.nextInt(PERIODS.length)];
        story.add("setRate " + permits + " in " + period);
        limiter.setRate(permits, period);
        reference.setRate(permits, period, hasBurst ? reference.burst() : permits);
    }

    private void stepBack() {
        if (random.nextInt(4) == 0) {
            long nanos = someTime();
            story.add("back " + nanos);
            wentBack = true;
            time.stepBack(nanos);
            reference.move(-nanos);
        }
    }

    private void advance() {
        long nanos = someTime();
        story.add("advance " + nanos);
        time.advance(nanos);
        reference.move(nanos);
    }

    /** A time around one of these: one permit, the next permit's arrival, a burst, or far more than all of them. */
    private long someTime() {
        BigInteger permit = reference.nanosOfPermit();
        BigInteger wait = reference.nanosUntil(1);
        BigInteger about = switch (random.nextInt(5)) {
            case 0 -> permit;
            case 1, 2 -> wait;
            case 3 -> permit.multiply(BigInteger.valueOf(random.nextInt(20)));
            default -> BigInteger.valueOf(random.nextInt(2_000_000_000) * (random.nextInt(8) == 0 ? 50_000L : 1));
        };
        long nanos = about.min(BigInteger.valueOf(1L << 58)).longValue();
        return Math.max(0, nanos + random.nextInt(3) - 1);
    }

    private void compare() {
        check("started", started, expectedStarted);
        RateLimiterStats stats = limiter.stats();
        check("admitted", stats.admitted(), reference.admitted);
        check("refused", stats.refused(), reference.refused);
        check("waiting", stats.waiting(), (long) reference.line.size());
        check("nanosUntil", limiter.nanosUntil(1), clamped(reference.nanosUntil(1)));
        if (limiter instanceof Idle idle) {
            check("idle", idle.isIdle(), reference.isFull() && reference.line.isEmpty());
        }
    }

    private void check(String what, Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new AssertionError(what + ": " + actual + " (expected: " + expected + ")");
        }
    }
}

package io.tidegate.race;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets two actors meet at the same instant, again and again, until a round fails or enough rounds have succeeded. */
public final class Race {
    /** How long a race that must succeed runs; {@code -Dtidegate.race.millis=N} changes it. */
    public static final Duration LIMIT = Duration.ofMillis(Long.getLong("tidegate.race.millis", 300));

    /** The limit for a race that must fail: far more than it takes on the busiest machine. */
    public static final Duration UNTIL_CAUGHT = Duration.ofMinutes(10);

    private static final int SPINS_BEFORE_YIELD = 200;

    private volatile Round current;
    private volatile long started;
    private volatile long finished;
    private volatile boolean over;

    /** One meeting. The first actor runs on the caller's thread, the second on another one. */
    public interface Round {
        void first();

        void second();

        /** Returns what went wrong, or null. */
        @Nullable
        String verdict();
    }

    private Race(Round first) {
        this.current = first;
    }

    /** Returns what went wrong, or null after {@code rounds} good rounds or after {@code limit}. */
    public static @Nullable String run(long rounds, Duration limit, Supplier<Round> next) {
        Race race = new Race(next.get());
        Thread opponent = new Thread(race::opponent, "opponent");
        opponent.start();
        try {
            return race.rounds(rounds, limit, next);
        } finally {
            race.over = true;
            join(opponent);
        }
    }

    private @Nullable String rounds(long rounds, Duration limit, Supplier<Round> next) {
        long start = System.nanoTime();
        for (long i = 1; i <= rounds && System.nanoTime() - start < limit.toNanos(); i++) {
            Round round = next.get();
            current = round;
            started = i;
            round.first();
            for (int spins = 0; finished != i; spins++) {
                pause(spins);
            }
            String verdict = round.verdict();
            if (verdict != null) {
                return "round " + i + ": " + verdict;
            }
        }
        return null;
    }

    private void opponent() {
        for (long i = 1; ; i++) {
            for (int spins = 0; started != i; spins++) {
                if (over) {
                    return;
                }
                pause(spins);
            }
            current.second();
            finished = i;
        }
    }

    /** Spins while the other thread is probably running, and yields to it otherwise. */
    @SuppressWarnings("ThreadPriorityCheck") // for progress on a machine with one free core, not for ordering
    public static void pause(int spins) {
        if (spins % SPINS_BEFORE_YIELD == SPINS_BEFORE_YIELD - 1) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

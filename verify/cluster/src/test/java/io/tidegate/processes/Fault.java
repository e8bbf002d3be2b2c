package io.tidegate.processes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A planned fault.
 *
 * @param atMillis after the run began, or as soon after that as it can have an effect
 * @param slot the worker that it hits
 * @param amount bytes or milliseconds, by the kind
 * @param lastsMillis the least duration: it lasts until it has had an effect
 */
record Fault(int atMillis, Kind kind, int slot, int amount, int lastsMillis) {
    private static final int FIRST_MILLIS = 30;
    private static final int LAST_MILLIS = 1_400;
    private static final int DELAYED_MILLIS = 250;

    enum Kind {
        /** The worker's connections are closed. */
        CUT,
        /** Only so many bytes from the worker come through, then its connection is closed. */
        TRUNCATE_REQUESTS,
        /** Only so many bytes of the answers come through, then the connection is closed. */
        TRUNCATE_REPLIES,
        /** Everything comes so many milliseconds late. */
        DELAY,
        /** No answer comes through, and the connection stays. */
        BLACK_HOLE,
        /** The process dies at once. */
        KILL,
        /** The process stands still for longer than its leases last, and goes on without noticing. */
        STOP,
        /** The server is killed and started on what it has written. */
        RESTART_SERVER,
        /** The process is asked to stop, and does so in its own way; another one takes its place. */
        DEPLOY
    }

    /**
     * Returns the faults in the run of a seed, in order: one of each kind, except that not every run starts a process
     * anew.
     *
     * @param deploys whether the workers can be asked to stop
     */
    static List<Fault> schedule(long seed, int slots, long leaseMillis, boolean deploys) {
        SplittableRandom random = new SplittableRandom(~seed);
        List<Fault> faults = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            boolean isLeftOut = (kind == Kind.RESTART_SERVER && seed % 3 != 0)
                    || (kind == Kind.KILL && (seed & 2) == 0)
                    || (kind == Kind.DEPLOY && !deploys);
            if (!isLeftOut) {
                faults.add(of(kind, random, random.nextInt(slots), (int) leaseMillis));
            }
        }
        faults.sort(Comparator.comparingInt(Fault::atMillis));
        return faults;
    }

    private static Fault of(Kind kind, SplittableRandom random, int slot, int leaseMillis) {
        int at = random.nextInt(FIRST_MILLIS, LAST_MILLIS);
        return switch (kind) {
            case CUT, KILL, RESTART_SERVER, DEPLOY -> new Fault(at, kind, slot, 0, 0);
            case TRUNCATE_REQUESTS -> new Fault(at, kind, slot, random.nextInt(600), 0);
            case TRUNCATE_REPLIES -> new Fault(at, kind, slot, random.nextInt(400), 0);
            case DELAY -> new Fault(at, kind, slot, random.nextInt(5, 80), DELAYED_MILLIS);
            case BLACK_HOLE -> new Fault(at, kind, slot, 0, random.nextInt(50, 700));
            case STOP -> new Fault(at, kind, slot, 0, leaseMillis + random.nextInt(20, 2 * leaseMillis));
        };
    }
}

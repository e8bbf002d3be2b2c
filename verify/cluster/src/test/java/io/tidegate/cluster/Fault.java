package io.tidegate.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Something that goes wrong.
 *
 * @param atMillis after the run began
 * @param slot which worker it befalls
 * @param amount bytes or milliseconds, by the kind
 */
record Fault(int atMillis, Kind kind, int slot, int amount) {
    private static final int FAULTS = 8;
    private static final int FIRST_MILLIS = 30;
    private static final int LAST_MILLIS = 1_400;

    enum Kind {
        /** The worker's connections are closed. */
        CUT,
        /** So many bytes of what the worker sends come through, then its connection is closed. */
        TRUNCATE_REQUESTS,
        /** The same for what it is answered. */
        TRUNCATE_REPLIES,
        /** Everything comes so many milliseconds late. */
        DELAY,
        /** No answer comes through, and the connection stays. */
        BLACK_HOLE,
        /** The end of the last two. */
        HEAL,
        /** The process is gone without a word. */
        KILL,
        /** The process stands still for longer than its leases last. */
        STOP,
        /** The process goes on and does not know. */
        CONTINUE,
        /** The server is killed and started on what it has written. */
        RESTART_SERVER
    }

    /** What goes wrong in the run of a seed, in order. */
    static List<Fault> schedule(long seed, int slots, long leaseMillis) {
        SplittableRandom random = new SplittableRandom(~seed);
        List<Fault> faults = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            faults.add(new Fault(at(random), Kind.RESTART_SERVER, 0, 0));
        }
        if (random.nextBoolean()) {
            faults.add(new Fault(at(random), Kind.KILL, random.nextInt(slots), 0));
        }
        while (faults.size() < FAULTS) {
            add(faults, random, random.nextInt(slots), (int) leaseMillis);
        }
        faults.sort(Comparator.comparingInt(Fault::atMillis));
        return faults;
    }

    private static int at(SplittableRandom random) {
        return random.nextInt(FIRST_MILLIS, LAST_MILLIS);
    }

    private static void add(List<Fault> faults, SplittableRandom random, int slot, int leaseMillis) {
        int at = at(random);
        switch (random.nextInt(6)) {
            case 0 -> faults.add(new Fault(at, Kind.CUT, slot, 0));
            case 1 -> faults.add(new Fault(at, Kind.TRUNCATE_REQUESTS, slot, random.nextInt(600)));
            case 2 -> faults.add(new Fault(at, Kind.TRUNCATE_REPLIES, slot, random.nextInt(400)));
            case 3 -> addWithEnd(faults, new Fault(at, Kind.DELAY, slot, random.nextInt(5, 80)), Kind.HEAL, 250);
            case 4 -> {
                int lasts = random.nextInt(50, 700);
                addWithEnd(faults, new Fault(at, Kind.BLACK_HOLE, slot, lasts), Kind.HEAL, lasts);
            }
            default -> {
                int lasts = leaseMillis + random.nextInt(20, 2 * leaseMillis);
                addWithEnd(faults, new Fault(at, Kind.STOP, slot, lasts), Kind.CONTINUE, lasts);
            }
        }
    }

    private static void addWithEnd(List<Fault> faults, Fault fault, Kind end, int lasts) {
        faults.add(fault);
        faults.add(new Fault(fault.atMillis + lasts, end, fault.slot, 0));
    }
}

package io.tidegate.lease;

import io.tidegate.lease.broken.LeaseFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One random script, played against leases and against the reference, and compared after every step. It prefers
 * boundaries: the head of the backlog, the last retry, ended offsets that are offered again, old tokens, offsets next
 * to powers of two and to the ends of their range, ascending runs with gaps, and sources that throw.
 */
final class ModelRun {
    private static final long[] EDGES = {
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        -129,
        -128,
        -65,
        -64,
        -1,
        0,
        1,
        62,
        63,
        64,
        65,
        127,
        128,
        4095,
        4096,
        1L << 32,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
    };
    private static final List<SideBySide.Source> SOURCES = List.of(SideBySide.Source.values());
    private static final String[] DOMAINS = {"a", "b", " ", "ü\u0000\n", "Aa", "BB"};

    private final Random random;
    private final List<String> script = new ArrayList<>();
    private final int maxRetries;
    private final SideBySide both;
    private final int domains;
    private final int kindOfOffsets;
    private long nextAscending;

    private ModelRun(LeaseFactory factory, long seed) {
        random = new Random(seed);
        maxRetries = random.nextInt(3);
        both = new SideBySide(factory, maxRetries);
        domains = 1 + random.nextInt(DOMAINS.length);
        kindOfOffsets = random.nextInt(3);
        nextAscending = random.nextBoolean() ? 0 : EDGES[random.nextInt(EDGES.length)];
    }

    static void play(LeaseFactory factory, long seed, int steps) {
        ModelRun run = new ModelRun(factory, seed);
        try {
            for (int i = 0; i < steps; i++) {
                run.step();
            }
        } catch (AssertionError error) {
            throw new AssertionError(
                    "seed " + seed + ", " + run.maxRetries + " retries, after " + run.script + ": "
                            + error.getMessage(),
                    error);
        }
    }

    private void step() {
        String domainId = DOMAINS[random.nextInt(domains)];
        if (random.nextInt(4) == 0) {
            moveTime();
        }
        int die = random.nextInt(100);
        if (die < 45) {
            tryAcquire(domainId);
        } else if (die < 70) {
            int acquisition = acquisition(domainId);
            script.add(domainId + ": succeed #" + acquisition);
            both.succeed(domainId, acquisition);
        } else if (die < 88) {
            int acquisition = acquisition(domainId);
            script.add(domainId + ": fail #" + acquisition);
            both.fail(domainId, acquisition);
        } else if (die < 96) {
            long offset = knownOffset(domainId);
            script.add(domainId + ": replay " + offset);
            both.replay(domainId, offset);
        } else {
            long offset = knownOffset(domainId) - 1 + random.nextInt(3);
            script.add(domainId + ": forget " + offset);
            both.forget(domainId, offset);
        }
    }

    private void moveTime() {
        long now = random.nextInt(8) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(1_000);
        script.add("time " + now);
        both.setNow(now);
    }

    private void tryAcquire(String domainId) {
        SideBySide.Source source =
                random.nextInt(12) == 0 ? SOURCES.get(random.nextInt(SOURCES.size())) : SideBySide.Source.WORKS;
        long offset = random.nextInt(3) == 0 ? newOffset() : knownOffset(domainId);
        script.add(domainId + ": acquire " + offset + (source == SideBySide.Source.WORKS ? "" : " while " + source));
        both.setSource(source);
        both.tryAcquire(domainId, offset);
        both.setSource(SideBySide.Source.WORKS);
    }

    /** Mostly the last token, of an offset that is leased or just done; otherwise an old, a made-up or no token. */
    private int acquisition(String domainId) {
        int known = both.acquisitions(domainId);
        int die = random.nextInt(12);
        return known == 0 || die < 2 ? -1 - random.nextInt(2) : die == 2 ? random.nextInt(known) : known - 1;
    }

    /** Mostly the head or another offset that waits; otherwise one of a few offsets. */
    private long knownOffset(String domainId) {
        List<Long> backlog =
                both.expected(domainId).map(DomainSnapshot::backlog).orElse(List.of());
        int die = random.nextInt(10);
        if (!backlog.isEmpty() && die < 7) {
            return backlog.get(die < 5 ? 0 : random.nextInt(backlog.size()));
        }
        return newOffset();
    }

    private long newOffset() {
        return switch (kindOfOffsets) {
            case 0 -> random.nextInt(6);
            case 1 -> EDGES[random.nextInt(EDGES.length)];
            default -> ascending();
        };
    }

    /** Mostly the next offset; sometimes one that is done, sometimes one beyond a gap. */
    private long ascending() {
        int die = random.nextInt(20);
        if (die == 0) {
            nextAscending += random.nextInt(200);
        }
        return die < 4 ? nextAscending - random.nextInt(100) : nextAscending++;
    }
}

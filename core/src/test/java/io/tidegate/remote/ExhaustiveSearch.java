package io.tidegate.remote;

import io.tidegate.remote.broken.RemoteBulkheadFactory;
import java.util.Arrays;
import java.util.List;

/** Plays every script of a number of operations over a small alphabet against the reference. */
final class ExhaustiveSearch {
    static final int TIMEOUT_MS = 10;

    /** One letter of a script. */
    enum Step {
        ACQUIRE_A,
        ACQUIRE_B,
        ACQUIRE_C,
        ACQUIRE_WITHOUT_CAPABILITY,
        POLL_A,
        POLL_B,
        CANCEL_A,
        RELEASE_OLDEST,
        RELEASE_AGAIN,
        WAIT_TO_TIMEOUT,
        TIME_BACK,
        CAP_1,
        CAP_2,
        LATENCY
    }

    private final RemoteBulkheadFactory factory;
    private final ReferenceBulkhead.Settings settings;
    private final List<Step> alphabet;
    private final int[] letters;

    private ExhaustiveSearch(
            RemoteBulkheadFactory factory, ReferenceBulkhead.Settings settings, List<Step> alphabet, int length) {
        this.factory = factory;
        this.settings = settings;
        this.alphabet = alphabet;
        this.letters = new int[length];
    }

    /** Plays all scripts up to this length. Returns how many had that length. */
    static long run(
            RemoteBulkheadFactory factory, ReferenceBulkhead.Settings settings, List<Step> alphabet, int length) {
        ExhaustiveSearch search = new ExhaustiveSearch(factory, settings, alphabet, length);
        long scripts = 0;
        for (int fresh = 0; fresh >= 0; fresh = search.nextScript()) {
            search.play(fresh);
            scripts++;
        }
        return scripts;
    }

    /** Goes to the next script. Returns the first letter that has changed, or -1 after the last script. */
    private int nextScript() {
        int changed = letters.length - 1;
        while (changed >= 0 && ++letters[changed] == alphabet.size()) {
            letters[changed] = 0;
            changed--;
        }
        return changed;
    }

    /**
     * Plays a script and compares after the letters from {@code fresh} on; shorter scripts have been compared before.
     */
    private void play(int fresh) {
        Script script = new Script(new SideBySide(factory, settings));
        try {
            for (int i = 0; i < letters.length; i++) {
                script.step(alphabet.get(letters[i]));
                if (i >= fresh) {
                    script.both.compare();
                }
            }
            script.both.checkLog();
        } catch (AssertionError error) {
            List<Step> steps = Arrays.stream(letters).mapToObj(alphabet::get).toList();
            throw new AssertionError("in " + steps + ": " + error.getMessage(), error);
        }
    }

    private static final class Script {
        final SideBySide both;
        private long now = TIMEOUT_MS;

        Script(SideBySide both) {
            this.both = both;
        }

        void step(Step step) {
            switch (step) {
                case ACQUIRE_A -> both.acquire(true, "a", now);
                case ACQUIRE_B -> both.acquire(true, "b", now);
                case ACQUIRE_C -> both.acquire(true, "c", now);
                case ACQUIRE_WITHOUT_CAPABILITY -> both.acquire(false, "a", now);
                case POLL_A -> both.pollQueued("a", now);
                case POLL_B -> both.pollQueued("b", now);
                case CANCEL_A -> both.cancelQueued("a", now);
                case RELEASE_OLDEST -> releaseFirst(both.out());
                case RELEASE_AGAIN -> releaseFirst(both.back());
                case WAIT_TO_TIMEOUT -> now += TIMEOUT_MS;
                case TIME_BACK -> now--;
                case CAP_1 -> both.setMaxInFlight(1, now);
                case CAP_2 -> both.setMaxInFlight(2, now);
                case LATENCY -> both.recordForegroundLatency(now);
            }
        }

        private void releaseFirst(List<SideBySide.Both> permits) {
            if (!permits.isEmpty()) {
                both.release(permits.get(0), now);
            }
        }
    }
}

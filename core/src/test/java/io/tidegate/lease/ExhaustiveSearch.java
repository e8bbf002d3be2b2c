package io.tidegate.lease;

import io.tidegate.lease.broken.LeaseFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Plays every script of a number of operations over a small alphabet against the reference, each in a domain of its own
 * in one store. Offsets that only differ in name are tried in one order: a script mentions the first offset before the
 * second, and so on.
 */
final class ExhaustiveSearch {
    private static final int MAX_RETRIES = 1;
    private static final int DOMAINS_IN_A_STORE = 1_000;

    /** One letter of a script. */
    enum Step {
        ACQUIRE_1(1),
        ACQUIRE_2(2),
        ACQUIRE_3(3),
        SUCCEED(0),
        SUCCEED_WITH_THE_FIRST_TOKEN(0),
        FAIL(0),
        FORGET_1(1),
        REPLAY_1(1),
        ACQUIRE_1_WITHOUT_TOKEN(1);

        final int offset;

        Step(int offset) {
            this.offset = offset;
        }

        /** Whether the letter treats one offset unlike the others. */
        boolean singlesOneOut() {
            return this == FORGET_1 || this == REPLAY_1 || this == ACQUIRE_1_WITHOUT_TOKEN;
        }
    }

    private final LeaseFactory factory;
    private final List<Step> alphabet;
    private final boolean namesOnly;
    private final int idleSteps;
    private final List<Step> script = new ArrayList<>();
    private final int length;
    private SideBySide both;
    private int domains;
    private long played;

    private ExhaustiveSearch(LeaseFactory factory, List<Step> alphabet, int idleSteps, int length) {
        this.factory = factory;
        this.alphabet = alphabet;
        this.namesOnly = alphabet.stream().noneMatch(Step::singlesOneOut);
        this.idleSteps = idleSteps;
        this.length = length;
        this.both = new SideBySide(factory, MAX_RETRIES);
    }

    /**
     * Plays all scripts up to this length. Returns how many they were.
     *
     * @param idleSteps how many steps before the last one may leave the domain as it was; {@code length} for any number
     */
    static long run(LeaseFactory factory, List<Step> alphabet, int idleSteps, int length) {
        ExhaustiveSearch search = new ExhaustiveSearch(factory, alphabet, idleSteps, length);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        // Most steps are refused by an exception, whose cost grows with the depth of the stack.
        Thread shallow = new Thread(() -> search.extend(0, 0));
        shallow.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
        shallow.start();
        try {
            shallow.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get().getMessage(), failure.get());
        }
        return search.played;
    }

    private void extend(int mentioned, int idle) {
        for (Step step : alphabet) {
            if (!namesOnly || step.offset <= mentioned + 1) {
                script.add(step);
                int idleNow = play() ? idle : idle + 1;
                if (script.size() < length && idleNow <= idleSteps) {
                    extend(Math.max(mentioned, step.offset), idleNow);
                }
                script.remove(script.size() - 1);
            }
        }
    }

    /**
     * Compares the domain after the last letter; shorter scripts have compared it after the letters before. Returns
     * whether the last letter changed anything.
     */
    private boolean play() {
        played++;
        if (++domains == DOMAINS_IN_A_STORE) {
            domains = 0;
            both = new SideBySide(factory, MAX_RETRIES);
        }
        String domainId = "d" + domains;
        int last = script.size() - 1;
        try {
            both.setLooks(false);
            for (int i = 0; i < last; i++) {
                play(domainId, script.get(i));
            }
            both.setLooks(true);
            Optional<DomainSnapshot> before = both.expected(domainId);
            play(domainId, script.get(last));
            return script.get(last) == Step.FORGET_1 || !before.equals(both.expected(domainId));
        } catch (AssertionError error) {
            throw new AssertionError("in " + script + ": " + error.getMessage(), error);
        }
    }

    private void play(String domainId, Step step) {
        int last = both.acquisitions(domainId) - 1;
        switch (step) {
            case ACQUIRE_1, ACQUIRE_2, ACQUIRE_3 -> both.tryAcquire(domainId, step.offset);
            case SUCCEED -> both.succeed(domainId, last);
            case SUCCEED_WITH_THE_FIRST_TOKEN -> both.succeed(domainId, Math.min(last, 0));
            case FAIL -> both.fail(domainId, last);
            case FORGET_1 -> both.forget(domainId, step.offset);
            case REPLAY_1 -> both.replay(domainId, step.offset);
            case ACQUIRE_1_WITHOUT_TOKEN -> {
                both.setSource(SideBySide.Source.TOKENS_THROW);
                both.tryAcquire(domainId, step.offset);
                both.setSource(SideBySide.Source.WORKS);
            }
        }
    }
}

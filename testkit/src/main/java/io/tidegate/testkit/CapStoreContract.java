package io.tidegate.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.CapStore.Claim;
import io.tidegate.cluster.CapStore.Division;
import io.tidegate.cluster.CapStore.Member;
import io.tidegate.cluster.CapStore.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tests that every {@link CapStore} must pass. Subclass it with your own store. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class CapStoreContract {
    private static final String PAY = "pay";
    private static final long LONG = 3_600_000;
    private static final long SHORT = 300;

    /** For subclasses. */
    protected CapStoreContract() {}

    /** Opens a fresh and empty store. */
    protected abstract CapStore open();

    /** Lets this much of the engine's time pass. */
    protected abstract void pass(long millis) throws InterruptedException;

    /** One process, with what it remembers between its claims. */
    private static final class Participant {
        private final CapStore store;
        private final String owner;
        private final int firstCap;
        private final boolean exact;
        private long number;
        private int slice;

        Participant(CapStore store, String owner, int firstCap, boolean exact) {
            this.store = store;
            this.owner = owner;
            this.firstCap = firstCap;
            this.exact = exact;
        }

        Claim next(int inUse, int need, long leaseMillis) {
            number++;
            return new Claim(PAY, owner, number, firstCap, slice, inUse, need, exact, leaseMillis);
        }

        /** Claims, and applies the answer at once. */
        Share claim(int inUse, int need, long leaseMillis) {
            Share share = store.claim(next(inUse, need, leaseMillis));
            slice = Math.min(share.granted(), share.goal());
            return share;
        }

        Share claim(int need) {
            return claim(0, need, LONG);
        }
    }

    private static Participant process(CapStore store, String owner, int firstCap) {
        return new Participant(store, owner, firstCap, false);
    }

    private static Division division(CapStore store) {
        return store.inspect(PAY).orElseThrow();
    }

    @Test
    @DisplayName("the first claim makes the cap, later ones keep it")
    void claim_first_makesTheCap() {
        CapStore store = open();

        assertEquals(Optional.empty(), store.inspect(PAY));
        assertEquals(new Share(10, 10, 10), process(store, "a", 10).claim(0));
        assertEquals(10, process(store, "b", 99).claim(1).cap());
    }

    @Test
    @DisplayName("one member may have all; two that need all have half each, once the first has given back")
    void claim_twoNeedAll_shareIt() {
        CapStore store = open();
        Participant a = process(store, "a", 10);
        Participant b = process(store, "b", 10);

        assertEquals(new Share(10, 10, 10), a.claim(10));
        assertEquals(new Share(0, 5, 10), b.claim(10));
        assertEquals(new Share(10, 5, 10), a.claim(10, 10, LONG));
        assertEquals(new Share(0, 5, 10), b.claim(10), "a has not said that it has come down");
        assertEquals(new Share(5, 5, 10), a.claim(7, 10, LONG), "seven are still in flight");
        assertEquals(new Share(3, 5, 10), b.claim(10));
        a.claim(5, 10, LONG);
        assertEquals(new Share(5, 5, 10), b.claim(10));
        assertEquals(10, division(store).held());
    }

    @Test
    @DisplayName("small needs are met, the rest goes to members that need more, and unneeded permits are there for all")
    void claim_unequalNeeds_areMetFromBelow() {
        CapStore store = open();
        Participant a = process(store, "a", 10);
        Participant b = process(store, "b", 10);
        Participant c = process(store, "c", 10);
        a.claim(2);
        b.claim(20);
        c.claim(20);
        for (int round = 0; round < 3; round++) {
            a.claim(2);
            b.claim(20);
            c.claim(20);
        }

        assertEquals(List.of(2, 4, 4), slices(store));
        for (int round = 0; round < 3; round++) {
            a.claim(0);
            b.claim(1);
            c.claim(0);
        }
        assertEquals(List.of(3, 3, 3), slices(store), "each keeps one, and has a fifth of the seven that nobody needs");
    }

    /** Claims until no member has permits to give back. */
    private static void settle(Participant a, Participant b, int need) {
        for (int round = 0; round < 3; round++) {
            a.claim(need);
            b.claim(need);
        }
    }

    private static List<Integer> slices(CapStore store) {
        return division(store).members().stream().map(Member::slice).toList();
    }

    @Test
    @DisplayName("the slice of a silent member is free when its lease ends, not before")
    void claim_leaseEnds_sliceIsFree() throws InterruptedException {
        CapStore store = open();
        process(store, "a", 10).claim(0, 10, LONG);
        store.leave(PAY, "a");
        process(store, "dies", 10).claim(10, 10, SHORT);
        Participant b = process(store, "b", 10);

        assertEquals(0, b.claim(10).granted());
        pass(SHORT);
        assertEquals(new Share(10, 10, 10), b.claim(10));
        assertEquals(
                List.of("b"),
                division(store).members().stream().map(Member::owner).toList());
    }

    @Test
    @DisplayName("a renewed lease goes on")
    void claim_renewed_leaseGoesOn() throws InterruptedException {
        CapStore store = open();
        Participant a = process(store, "a", 10);
        a.claim(0, 10, SHORT);
        a.claim(10, 10, LONG);
        pass(SHORT);

        assertEquals(0, process(store, "b", 10).claim(10).granted());
        long left = division(store).members().get(0).leaseLeftMillis();
        assertTrue(left > LONG / 2 && left <= LONG, () -> "lease left: " + left);
    }

    @Test
    @DisplayName(
            "who comes back after its lease with work in flight gets what is free, and all it has in flight is counted")
    void claim_afterTheLease_countsWhatIsInFlight() throws InterruptedException {
        CapStore store = open();
        Participant a = process(store, "a", 10);
        a.claim(0, 10, SHORT);
        pass(SHORT);
        Participant b = new Participant(store, "b", 10, true);
        b.claim(6, 6, LONG);

        assertEquals(new Share(4, 5, 10), a.claim(8, 8, LONG));
        assertEquals(8, division(store).members().get(0).held());
        assertEquals(6, b.claim(6, 10, LONG).granted(), "nobody gets more while too much is in flight");
    }

    @Test
    @DisplayName("a claim that comes late or again changes nothing")
    void claim_lateOrAgain_changesNothing() {
        CapStore store = open();
        Participant a = process(store, "a", 10);
        a.claim(4, 4, LONG);
        Claim late = a.next(0, 0, LONG);
        Claim again = a.next(9, 9, LONG);
        Share share = store.claim(again);
        Division before = division(store);

        assertEquals(share.granted(), store.claim(again).granted());
        store.claim(late);

        assertEquals(
                before.members().get(0).slice(),
                division(store).members().get(0).slice());
        assertEquals(
                before.members().get(0).held(), division(store).members().get(0).held());
        assertEquals(
                before.members().get(0).need(), division(store).members().get(0).need());
    }

    @Test
    @DisplayName("a lowered cap takes from no member, reaches all, and stops all growth until the sum fits")
    void setCap_lowered_drains() {
        CapStore store = open();
        Participant a = process(store, "a", 10);
        Participant b = process(store, "b", 10);
        settle(a, b, 5);
        assertEquals(List.of(5, 5), slices(store));

        store.setCap(PAY, 4);

        assertEquals(4, division(store).cap());
        assertEquals(List.of(5, 5), slices(store));
        assertEquals(new Share(5, 2, 4), a.claim(5, 9, LONG));
        assertEquals(new Share(2, 2, 4), a.claim(2, 9, LONG));
        assertEquals(new Share(5, 2, 4), b.claim(5, 9, LONG));
        b.claim(2, 9, LONG);
        assertEquals(4, division(store).held());
        store.setCap(PAY, 8);
        assertEquals(new Share(4, 4, 8), a.claim(2, 9, LONG));
    }

    @Test
    @DisplayName("a lowered cap also takes what no member needs")
    void setCap_loweredOnIdle_fits() {
        CapStore store = open();
        Participant a = process(store, "a", 2);
        Participant b = process(store, "b", 2);
        settle(a, b, 1);
        assertEquals(List.of(1, 1), slices(store));
        store.setCap(PAY, 1);
        for (int round = 0; round < 2; round++) {
            a.claim(0);
            b.claim(0);
        }

        assertEquals(1, division(store).held());
    }

    @Test
    @DisplayName("setting a cap that no member has claimed makes it; a cap that is not positive is refused")
    void setCap_unknown_makesIt() {
        CapStore store = open();

        store.setCap(PAY, 3);

        assertEquals(3, process(store, "a", 10).claim(1).cap());
        assertThrows(IllegalArgumentException.class, () -> store.setCap(PAY, 0));
        assertEquals(3, division(store).cap());
    }

    @Test
    @DisplayName("a cap may be the greatest number there is")
    void claim_greatestCap_isDivided() {
        CapStore store = open();
        int most = Integer.MAX_VALUE;
        Participant a = process(store, "a", most);
        Participant b = process(store, "b", most);
        a.claim(1);

        assertEquals(new Share(0, 1, most), b.claim(1));
        assertEquals(new Share(most, 1 + (most - 2) / 3 + 1, most), a.claim(1));
        a.claim(1);
        assertEquals(1 + (most - 2) / 3 + 1, b.claim(1).granted());
    }

    @Test
    @DisplayName("leaving frees the slice at once; leaving without one is nothing")
    void leave_any_freesTheSlice() {
        CapStore store = open();
        process(store, "a", 10).claim(10);

        store.leave(PAY, "a");
        store.leave(PAY, "a");
        store.leave("other", "a");

        assertEquals(new Share(10, 10, 10), process(store, "b", 10).claim(10));
    }

    @Test
    @DisplayName("with more in need than permits each has its turn")
    void claim_moreInNeedThanPermits_takeTurns() throws InterruptedException {
        CapStore store = open();
        List<Participant> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(process(store, "p" + i, 1));
        }
        boolean[] served = new boolean[all.size()];
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < served.length; i++) {
                served[i] |= all.get(i).claim(0, 5, SHORT).granted() > 0;
            }
            assertTrue(division(store).held() <= 1);
            pass(SHORT / 3);
        }

        assertAll(java.util.stream.IntStream.range(0, served.length)
                .mapToObj(i -> () -> assertTrue(served[i], () -> "p" + i + " was never served")));
    }

    @Test
    @DisplayName("while there are as many permits as members each keeps one, though another one needs all")
    void claim_quietMember_keepsOne() {
        CapStore store = open();
        Participant a = process(store, "a", 2);
        Participant b = process(store, "b", 2);
        for (int round = 0; round < 3; round++) {
            a.claim(20);
            b.claim(0);
        }
        assertEquals(List.of(1, 1), slices(store));

        process(store, "c", 2).claim(0);
        for (int round = 0; round < 3; round++) {
            a.claim(20);
            b.claim(0);
        }
        assertEquals(List.of(2, 0, 0), slices(store), "three cannot keep one of two");
    }

    @Test
    @DisplayName(
            "an exact permit that comes back after a turn is kept for who waits, and not for one that does not ask")
    void claim_exactTurnIsOver_othersHaveTheirs() throws InterruptedException {
        CapStore store = open();
        Participant a = new Participant(store, "a", 1, true);
        Participant b = new Participant(store, "b", 1, true);
        a.claim(0, 1, LONG);
        Share waiting = b.claim(0, 1, LONG);
        assertEquals(0, waiting.granted());
        assertTrue(waiting.waitMillis() >= 0 && waiting.waitMillis() <= 50, waiting::toString);

        pass(50);
        assertEquals(0, b.claim(0, 1, LONG).granted());
        a.slice = 0;
        assertEquals(0, a.claim(0, 1, LONG).granted(), "it is the turn of b");
        assertEquals(1, b.claim(0, 1, LONG).granted());

        a.claim(0, 1, LONG);
        pass(10_000);
        b.slice = 0;
        assertEquals(1, b.claim(0, 1, LONG).granted(), "a has not asked for long");
    }

    @Test
    @DisplayName("a returned exact permit is kept for a waiting member, though others keep theirs and nearly suffice")
    void claim_exactNearlyEnough_nobodyStarves() throws InterruptedException {
        CapStore store = open();
        List<Integer> granted = new ArrayList<>();
        long begin;
        do { // the engine keeps nothing for a member that has not asked for 1.5 s, as on a halted machine
            begin = System.nanoTime();
            Participant a = new Participant(store, "a", 2, true);
            Participant b = new Participant(store, "b", 2, true);
            Participant c = new Participant(store, "c", 2, true);
            List<Participant> all = List.of(a, b, c);
            all.forEach(each -> store.leave(PAY, each.owner));
            granted.clear();
            all.forEach(each -> granted.add(each.claim(0, 1, LONG).granted()));
            pass(500);
            granted.add(c.claim(0, 1, LONG).granted());
            a.slice = 0;
            granted.add(a.claim(0, 1, LONG).granted());
            granted.add(c.claim(0, 1, LONG).granted());
        } while (System.nanoTime() - begin > 500_000_000);

        assertEquals(List.of(1, 1, 0, 0, 0, 1), granted, "c has waited for longer than a");
        assertEquals(List.of(0, 1, 1), slices(store));
    }

    @Test
    @DisplayName("a cap is deleted when no member has a lease on it, and is made anew by the next claim")
    void delete_any_onlyWithoutLeases() throws InterruptedException {
        CapStore store = open();
        process(store, "a", 10).claim(0, 1, SHORT);

        assertEquals(false, store.delete(PAY), "a has a lease");
        assertEquals(10, division(store).cap());
        pass(SHORT);
        assertTrue(store.delete(PAY));
        assertEquals(Optional.empty(), store.inspect(PAY));
        assertEquals(false, store.delete(PAY), "it is gone");
        assertEquals(7, process(store, "b", 7).claim(1).cap());
    }

    @Test
    @DisplayName("exact claims get what they need as far as it is free, first come, first served, and nothing beyond")
    void claim_exact_firstComeFirstServed() {
        CapStore store = open();
        Participant a = new Participant(store, "a", 10, true);
        Participant b = new Participant(store, "b", 10, true);

        assertEquals(new Share(0, 0, 10), a.claim(0));
        assertEquals(new Share(7, 7, 10), a.claim(0, 7, LONG));
        assertEquals(new Share(3, 5, 10), b.claim(0, 5, LONG));
        a.slice = 6;
        assertEquals(new Share(6, 6, 10), a.claim(6, 6, LONG));
        assertEquals(new Share(4, 5, 10), b.claim(3, 5, LONG));
    }

    @Test
    @DisplayName("caps of other names are other caps, whatever characters they have")
    void claim_otherNames_areOtherCaps() {
        CapStore store = open();
        for (String name : List.of("x", "X", "x ", "{x}", "é", "x:cap", "'")) {
            assertEquals(
                    new Share(3, 3, 3),
                    store.claim(new Claim(name, "a", 1, 3, 0, 0, 3, false, LONG)),
                    () -> "cap of '" + name + "'");
        }
    }

    @Test
    @DisplayName("INV-RB-CAPPED what is held stays within the cap, with many that claim at once")
    void claim_manyAtOnce_staysWithinTheCap() throws Exception {
        CapStore store = open();
        store.setCap(PAY, 7);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Participant process = process(store, "p" + i, 7);
                Random random = new Random(i);
                ends.add(threads.submit(() -> {
                    for (int round = 0; round < 60; round++) {
                        process.claim(random.nextInt(12));
                        int held = division(store).held();
                        assertTrue(held <= 7, () -> "held: " + held);
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A store and the one in memory, which get the same operations. */
    private static final class Twins {
        private final long seed;
        private final Random random;
        private final CapStore store;
        private final CapStore model;
        private final List<Participant> real = new ArrayList<>();
        private final List<Participant> modelled = new ArrayList<>();
        private int claims;

        Twins(long seed, CapStore store, CapStore model) {
            this.seed = seed;
            this.random = new Random(seed);
            this.store = store;
            this.model = model;
        }

        void join(int firstCap, boolean exact) {
            String owner = String.format(Locale.ROOT, "p%04d", real.size());
            real.add(new Participant(store, owner, firstCap, exact));
            modelled.add(new Participant(model, owner, firstCap, exact));
        }

        void setCap(int cap) {
            store.setCap(PAY, cap);
            model.setCap(PAY, cap);
        }

        void leave(int who) {
            store.leave(PAY, real.get(who).owner);
            model.leave(PAY, real.get(who).owner);
        }

        void claim(int who, int most, long leaseMillis) {
            int need = random.nextInt(most);
            int inUse = random.nextInt(need + 1);
            claims++;
            assertEquals(
                    modelled.get(who).claim(inUse, need, leaseMillis),
                    real.get(who).claim(inUse, need, leaseMillis),
                    () -> "seed " + seed + ", claim " + claims + ", " + real.get(who).owner);
        }

        void assertSame() {
            assertEquals(slices(model), slices(store), () -> "seed " + seed);
        }
    }

    @Test
    @DisplayName("answers as the store in memory does, claim by claim, while time passes")
    void claim_randomClaims_answersAsInMemory() throws InterruptedException {
        long hour = 3_600_000; // longer than any pause of an engine
        AtomicLong now = new AtomicLong();
        Twins twins = new Twins(7, open(), new InMemoryCapStore(now::get));
        for (int i = 0; i < 8; i++) {
            twins.join(20, i >= 6);
        }
        for (int step = 0; step < 600; step++) {
            pass(hour);
            now.addAndGet(hour);
            int who = twins.random.nextInt(8);
            if (twins.random.nextInt(20) == 0) {
                twins.setCap(1 + twins.random.nextInt(24));
            }
            if (twins.random.nextInt(20) == 0) {
                twins.leave(who);
            }
            twins.claim(who, 15, (8 + twins.random.nextInt(60)) * hour);
        }
        twins.assertSame();
    }

    @Test
    @DisplayName("INV-RB-CAPPED a thousand members are answered as in memory, too, and stay within the cap")
    void claim_aThousandMembers_answersAsInMemory() {
        int members = 1_000;
        Twins twins = new Twins(11, open(), new InMemoryCapStore(() -> 0));
        for (int i = 0; i < members; i++) {
            twins.join(10_000, false);
            twins.claim(i, 10, LONG);
        }
        for (int claim = 0; claim < members; claim++) {
            twins.claim(twins.random.nextInt(members), claim % 10 == 0 ? 200 : 25, LONG);
        }
        twins.assertSame();
    }
}

package io.tidegate.testkit;

import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import io.tidegate.cluster.CapStore;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shared caps in memory, for tests of programs with several members in one process, and to compare engines with.
 * Thread-safe.
 */
public final class InMemoryCapStore implements CapStore {
    private static final long EXACT_TURN_MILLIS = 50;
    private static final int TURNS_PER_LEASE = 4;
    private static final long PATIENCE_MILLIS = 1_500;
    private static final long LONGEST_WAIT_MILLIS = 1_000;
    private static final long LONG_WAIT_MILLIS = 500;

    private final LongSupplier clock;
    private final Map<String, Cap> caps = new TreeMap<>();

    /** Makes an empty store, with a clock in milliseconds in place of the engine's. */
    public InMemoryCapStore(LongSupplier millis) {
        this.clock = requireNonNull(millis, "millis");
    }

    private static final class Cap {
        int cap;
        final Map<String, Slice> slices = new TreeMap<>();
    }

    /**
     * A member's share of the cap.
     *
     * @param lack how much less than its part it held at its last claim
     * @param turnAt when its turn ends; after that, when it ended; without a slice, since when it waits
     */
    private record Slice(
            String owner,
            long number,
            int slice,
            int held,
            int need,
            int lack,
            boolean exact,
            long turnAt,
            long askedAt,
            long until) {

        boolean hasTurn(long now) {
            return turnAt > now;
        }

        boolean waits(long now) {
            return slice == 0 && !hasTurn(now);
        }

        boolean waitsForLong(long now) {
            return waits(now) && held == 0 && now - turnAt >= LONG_WAIT_MILLIS;
        }

        int wants(int least) {
            return exact ? need : Math.max(need, least);
        }

        /** Nothing is reserved for a member that takes single permits and has not asked recently. */
        Slice lapsed(long now) {
            boolean lapses = exact && need > held && now - askedAt > PATIENCE_MILLIS;
            return lapses ? new Slice(owner, number, slice, held, held, 0, true, turnAt, askedAt, until) : this;
        }

        /**
         * If there are fewer permits than members in need, which member goes without first: one whose turn is over,
         * then the one that came last, then one that has its turn.
         */
        static Comparator<Slice> leastEntitled(long now) {
            return comparingInt((Slice one) -> one.hasTurn(now) ? 2 : one.waits(now) ? 1 : 0)
                    .thenComparingLong(one -> one.waits(now) ? -one.turnAt : one.turnAt)
                    .thenComparing(Slice::owner);
        }
    }

    @Override
    public synchronized Share claim(Claim claim) {
        long now = clock.getAsLong();
        Cap cap = caps.computeIfAbsent(claim.bulkhead(), name -> new Cap());
        if (cap.cap == 0) {
            cap.cap = claim.firstCap();
        }
        cap.slices.values().removeIf(slice -> slice.until <= now);
        cap.slices.replaceAll((owner, slice) -> slice.lapsed(now));
        Slice before = cap.slices.remove(claim.owner());
        if (before != null && before.number >= claim.number()) {
            cap.slices.put(claim.owner(), before);
            return new Share(before.slice, before.slice, cap.cap);
        }
        Slice own = own(claim, before, now);
        Collection<Slice> others = cap.slices.values();
        long heldByOthers = others.stream().mapToLong(Slice::held).sum();
        long lackedByOthers = others.stream().mapToLong(Slice::lack).sum();
        long room = Math.max(0, cap.cap - heldByOthers);
        Part part = part(cap, own, now);
        // A member that has its part gets no permits that others lack.
        int goal = (int) Math.max(part.part, Math.min((long) part.part + part.spare, room - lackedByOthers));
        int granted = (int) Math.max(own.slice, Math.min(goal, room - part.kept));
        cap.slices.put(claim.owner(), granted(claim, own, granted, part.part, now));
        if (!own.exact) {
            return new Share(granted, goal, cap.cap);
        }
        long waitMillis =
                // it asks when it gives a permit back
                granted > 0 && part.isScarce ? LONGEST_WAIT_MILLIS : part.waitMillis;
        return new Share(granted, own.need, cap.cap, granted < own.need ? waitMillis : 0);
    }

    private static Slice own(Claim claim, @Nullable Slice before, long now) {
        int slice = 0;
        long turnAt = now;
        if (before != null) {
            slice = Math.min(claim.slice(), before.slice);
            boolean goesOn = slice > 0 || before.hasTurn(now) || (before.slice == 0 && before.need > 0);
            turnAt = goesOn ? before.turnAt : now;
        }
        long until = now + claim.leaseMillis();
        return new Slice(claim.owner(), claim.number(), slice, 0, claim.need(), 0, claim.exact(), turnAt, now, until);
    }

    /**
     * What a member should have.
     *
     * @param spare what it may have beyond the part, if no other member lacks it
     * @param kept free permits that are reserved for members that come first
     * @param isScarce whether members have their part in turns
     */
    private record Part(int part, int spare, long kept, boolean isScarce, long waitMillis) {}

    /**
     * Small needs are met first; the rest is split evenly, and the remainder goes to the members that ask first, one
     * each. While there are as many permits as members, each member with slices keeps one. What no member needs is
     * divided as head-room, and some is left for the next member that asks.
     */
    private static Part part(Cap cap, Slice own, long now) {
        int members = cap.slices.size() + 1;
        int least = members <= cap.cap ? 1 : 0;
        int wants = own.wants(least);
        List<Slice> needyOthers = cap.slices.values().stream()
                .filter(slice -> slice.wants(least) > 0)
                .toList();
        if (needyOthers.size() + (wants > 0 ? 1 : 0) > cap.cap) {
            return turn(cap.cap, own, needyOthers, now);
        }
        int[] needs = Stream.concat(needyOthers.stream(), Stream.of(own))
                .mapToInt(slice -> slice.wants(least))
                .filter(need -> need > 0)
                .sorted()
                .toArray();
        int rest = cap.cap;
        for (int i = 0; i < needs.length; i++) {
            int left = needs.length - i;
            if (rest / left < needs[i]) {
                int level = rest / left;
                return new Part(Math.min(wants, level), wants > level && rest % left > 0 ? 1 : 0, 0, false, 0);
            }
            rest -= needs[i];
        }
        int parts = 2 * members - 1;
        int headRoom = rest / parts + (rest % parts > 0 ? 1 : 0);
        return new Part(wants, own.exact ? 0 : headRoom, 0, false, 0);
    }

    /**
     * One permit, if the member is among the first. A member that takes single permits claims at the moment it gives a
     * permit back, and would find this permit free each time, while the members before it claim at other times. So it
     * leaves one permit to each of these that has waited for long; a permit for all of them would leave too many idle.
     */
    private static Part turn(int cap, Slice own, List<Slice> others, long now) {
        List<Slice> before = others.stream()
                .filter(slice -> Slice.leastEntitled(now).compare(slice, own) > 0)
                .toList();
        long waiting = before.stream().filter(slice -> slice.waits(now)).count();
        long firstMillis = others.stream()
                .filter(slice -> slice.hasTurn(now))
                .mapToLong(slice -> slice.turnAt - now)
                .min()
                .orElse(0);
        int part = own.need > 0 && before.size() < cap ? 1 : 0;
        boolean givesBack = own.exact && own.turnAt == now;
        long kept = givesBack
                ? before.stream().filter(slice -> slice.waitsForLong(now)).count()
                : 0;
        long inLineMillis = firstMillis + waiting / cap * EXACT_TURN_MILLIS;
        return new Part(part, 0, kept, true, Math.min(inLineMillis, LONGEST_WAIT_MILLIS));
    }

    /* Giving a permit back and taking it again does not prolong a turn. */
    private static Slice granted(Claim claim, Slice own, int granted, int part, long now) {
        long turnMillis = own.exact ? EXACT_TURN_MILLIS : claim.leaseMillis() / TURNS_PER_LEASE;
        boolean begins = own.waits(now) && granted > 0;
        long turnAt = begins ? now + turnMillis : own.turnAt;
        int held = Math.max(granted, claim.inUse());
        int lack = Math.max(0, part - held);
        return new Slice(
                own.owner, own.number, granted, held, own.need, lack, own.exact, turnAt, own.askedAt, own.until);
    }

    @Override
    public synchronized void leave(String bulkhead, String owner) {
        Cap cap = caps.get(bulkhead);
        if (cap != null) {
            cap.slices.remove(owner);
        }
    }

    @Override
    public synchronized void setCap(String bulkhead, int cap) {
        if (cap < 1) {
            throw new IllegalArgumentException("cap: " + cap + " (expected: >= 1)");
        }
        caps.computeIfAbsent(bulkhead, name -> new Cap()).cap = cap;
    }

    @Override
    public synchronized boolean delete(String bulkhead) {
        long now = clock.getAsLong();
        Cap cap = caps.get(bulkhead);
        return cap != null
                && cap.slices.values().stream().noneMatch(slice -> slice.until > now)
                && caps.remove(bulkhead, cap);
    }

    @Override
    public synchronized Optional<Division> inspect(String bulkhead) {
        long now = clock.getAsLong();
        return Optional.ofNullable(caps.get(bulkhead))
                .map(cap -> new Division(
                        cap.cap,
                        cap.slices.values().stream()
                                .filter(slice -> slice.until > now)
                                .map(slice ->
                                        new Member(slice.owner, slice.slice, slice.held, slice.need, slice.until - now))
                                .toList()));
    }
}

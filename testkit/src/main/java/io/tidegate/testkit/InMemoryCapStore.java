package io.tidegate.testkit;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import io.tidegate.cluster.CapStore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
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

    private final LongSupplier clock;
    private final Map<String, Cap> caps = new TreeMap<>();

    /** By a clock in milliseconds, which stands for the engine's. */
    public InMemoryCapStore(LongSupplier millis) {
        this.clock = requireNonNull(millis, "millis");
    }

    private static final class Cap {
        int cap;
        final Map<String, Slice> slices = new TreeMap<>();
    }

    /**
     * A member.
     *
     * @param turnAt until when its turn lasts; if that is over, when it ended, or without a slice since when it waits
     */
    private record Slice(
            String owner,
            long number,
            int slice,
            int held,
            int need,
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

        /** Nothing is kept for one that takes permits one by one and has not asked for one of late. */
        boolean asksSoon(long now) {
            return !exact || now - askedAt <= PATIENCE_MILLIS;
        }

        int wants(int least) {
            return exact ? need : Math.max(need, least);
        }

        /**
         * Who is first to do without, if not all who need something can have anything: who had its turn, then who came
         * last, then who has its turn.
         */
        static Comparator<Slice> leastEntitled(long now) {
            return comparingInt((Slice one) -> one.hasTurn(now) ? 2 : one.waits(now) ? 1 : 0)
                    .thenComparingLong(one -> one.waits(now) ? -one.turnAt : one.turnAt);
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
        Slice before = cap.slices.remove(claim.owner());
        if (before != null && before.number >= claim.number()) {
            cap.slices.put(claim.owner(), before);
            return new Share(before.slice, before.slice, cap.cap);
        }
        Slice own = own(claim, before, now);
        long heldByOthers = cap.slices.values().stream().mapToLong(Slice::held).sum();
        int room = (int) Math.max(0, cap.cap - heldByOthers);
        cap.slices.put(claim.owner(), own);
        Part part = part(cap, own, room, now);
        int granted = Math.max(own.slice, Math.min(part.goal, room));
        cap.slices.put(claim.owner(), granted(claim, own, granted, now));
        return own.exact
                ? new Share(granted, own.need, cap.cap, granted < own.need ? part.waitMillis : 0)
                : new Share(granted, part.goal, cap.cap);
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
        return new Slice(claim.owner(), claim.number(), slice, 0, claim.need(), claim.exact(), turnAt, now, until);
    }

    private record Part(int goal, long waitMillis) {}

    /**
     * The need is met as far as all can have as much; while there are as many permits as members, each keeps one. Of
     * what nobody needs each has a part, unless somebody else holds it or should, and some is left for who asks first.
     */
    private static Part part(Cap cap, Slice own, int room, long now) {
        int least = cap.slices.size() <= cap.cap ? 1 : 0;
        List<Slice> needy = cap.slices.values().stream()
                .filter(slice -> slice.wants(least) > 0)
                .toList();
        boolean scarce = needy.size() > cap.cap;
        Comparator<Slice> order = scarce ? Slice.leastEntitled(now) : comparingInt(slice -> slice.wants(least));
        int rest = cap.cap;
        int left = needy.size();
        int mine = 0;
        int owed = 0;
        int ahead = 0; // who waits and comes before
        long turnEnds = Long.MAX_VALUE;
        for (Slice slice : needy.stream()
                .sorted(order.thenComparing(comparing(Slice::owner)))
                .toList()) {
            int part = Math.min(slice.wants(least), rest / left);
            rest -= part;
            left--;
            if (slice.owner.equals(own.owner)) {
                mine = part;
                ahead = 0;
            } else {
                owed += own.exact && !slice.asksSoon(now) ? 0 : Math.max(0, part - slice.held);
                ahead += slice.waits(now) && slice.asksSoon(now) ? 1 : 0;
                turnEnds = slice.hasTurn(now) ? Math.min(turnEnds, slice.turnAt) : turnEnds;
            }
        }
        int parts = 2 * cap.slices.size() - 1;
        int headRoom = rest / parts + (rest % parts > 0 ? 1 : 0);
        int wanted = own.exact ? own.need : mine + headRoom;
        int goal = Math.max(mine, Math.min(wanted, room - owed));
        long firstMillis = turnEnds == Long.MAX_VALUE ? 0 : turnEnds - now;
        long inLineMillis = firstMillis + ahead / cap.cap * EXACT_TURN_MILLIS;
        boolean hasItsPart = Math.max(own.slice, Math.min(goal, room)) > 0; // and asks anyway when it gives that back
        long waitMillis = hasItsPart ? LONGEST_WAIT_MILLIS : Math.min(inLineMillis, LONGEST_WAIT_MILLIS);
        return new Part(goal, scarce ? waitMillis : 0);
    }

    /* Who gives back and takes again in its turn does not make it any longer. */
    private static Slice granted(Claim claim, Slice own, int granted, long now) {
        long turnMillis = own.exact ? EXACT_TURN_MILLIS : claim.leaseMillis() / TURNS_PER_LEASE;
        boolean begins = own.waits(now) && granted > 0;
        long turnAt = begins ? now + turnMillis : own.turnAt;
        int held = Math.max(granted, claim.inUse());
        return new Slice(own.owner, own.number, granted, held, own.need, own.exact, turnAt, own.askedAt, own.until);
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

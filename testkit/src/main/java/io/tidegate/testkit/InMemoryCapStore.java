package io.tidegate.testkit;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

import io.tidegate.remote.CapStore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Shared caps in memory, for tests of programs with several members in one process, and to compare engines with. Thread-safe. */
public final class InMemoryCapStore implements CapStore {
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

    /** @param turnAt until when it may not be asked to let others have a turn; without a slice, since when it waits for one */
    private record Slice(String owner, long turn, int slice, int held, int need, long turnAt, long until) {
        /** Who is first to do without, if not all who need something can have anything: who had its turn, then who came last, then who has its turn. */
        static Comparator<Slice> leastEntitled(long now) {
            return comparingInt((Slice one) -> one.slice == 0 ? 1 : one.turnAt > now ? 2 : 0)
                    .thenComparingLong(one -> one.slice == 0 ? -one.turnAt : one.turnAt);
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
        if (before != null && before.turn >= claim.turn()) {
            cap.slices.put(claim.owner(), before);
            return new Share(before.slice, before.slice, cap.cap);
        }
        Slice own = own(claim, before, now);
        long heldByOthers = cap.slices.values().stream().mapToLong(Slice::held).sum();
        int room = (int) Math.max(0, cap.cap - heldByOthers);
        cap.slices.put(claim.owner(), own);
        int goal = goal(cap, own, claim.exact(), room, now);
        int granted = Math.max(own.slice, Math.min(goal, room));
        cap.slices.put(claim.owner(), granted(claim, own, granted, now));
        return new Share(granted, claim.exact() ? claim.need() : goal, cap.cap);
    }

    private static Slice own(Claim claim, @Nullable Slice before, long now) {
        int slice = 0;
        long turnAt = now;
        if (before != null) {
            slice = Math.min(claim.slice(), before.slice);
            boolean goesOn = slice > 0 || (before.slice == 0 && before.need > 0);
            turnAt = goesOn ? before.turnAt : now;
        }
        return new Slice(claim.owner(), claim.turn(), slice, 0, claim.need(), turnAt, now + claim.leaseMillis());
    }

    /**
     * The need is met as far as all can have as much. Of what nobody needs each has a part, unless somebody else holds it or should, and some is left for who
     * asks first.
     */
    private static int goal(Cap cap, Slice own, boolean exact, int room, long now) {
        List<Slice> needy =
                cap.slices.values().stream().filter(slice -> slice.need > 0).toList();
        Comparator<Slice> order =
                needy.size() > cap.cap ? Slice.leastEntitled(now) : comparingLong(slice -> (long) slice.need);
        int rest = cap.cap;
        int left = needy.size();
        int mine = 0;
        int owed = 0;
        for (Slice slice : needy.stream()
                .sorted(order.thenComparing(comparing(Slice::owner)))
                .toList()) {
            int part = Math.min(slice.need, rest / left);
            rest -= part;
            left--;
            if (slice.owner.equals(own.owner)) {
                mine = part;
            } else {
                owed += Math.max(0, part - slice.held);
            }
        }
        int parts = 2 * cap.slices.size() - 1;
        int headRoom = rest / parts + (rest % parts > 0 ? 1 : 0);
        int wanted = exact ? own.need : mine + headRoom;
        return Math.max(mine, Math.min(wanted, room - owed));
    }

    private static Slice granted(Claim claim, Slice own, int granted, long now) {
        long turnAt = own.slice == 0 && granted > 0 ? now + claim.leaseMillis() : own.turnAt;
        int held = Math.max(granted, claim.inUse());
        return new Slice(own.owner, own.turn, granted, held, own.need, turnAt, own.until);
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

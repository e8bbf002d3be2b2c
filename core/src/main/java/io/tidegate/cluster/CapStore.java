package io.tidegate.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Where the processes of a cluster share caps: an engine that all of them reach. Each operation is one atomic step there, and only the
 * engine's clock counts.
 *
 * <p>What an implementation must promise, and {@link ClusterBulkhead} stands on: as long as the lease of a member has not ended, its slice is its own, whatever
 * others ask for; it becomes smaller only when the member says so. A slice grows only as far as the sum of what all live members hold stays
 * within the cap. {@code CapStoreContract} of the testkit checks it.
 *
 * <p>Thread-safe. Operations block for a round trip and throw a {@link RuntimeException} when the engine cannot be asked; what was asked for may then
 * have happened.
 */
public interface CapStore {
    /**
     * What a member says and asks for.
     *
     * @param bulkhead the name of the shared cap
     * @param owner the member, a name that no other start of any process has
     * @param number rises with each claim of the member. One that comes late, or again, changes nothing
     * @param firstCap the cap, if there is none under this name yet
     * @param slice what the member still takes its slice for; never more than it was granted last
     * @param inUse what it has in flight: more than its slice if it drains, or if its lease had ended
     * @param need what it could use now, in flight included
     * @param exact asks for {@code need} and no more, first come, first served; otherwise the need is a weight in dividing
     *     the cap, and the member keeps one permit even if it needs none, while there are as many as members
     * @param leaseMillis how long the claim holds
     */
    record Claim(
            String bulkhead,
            String owner,
            long number,
            int firstCap,
            int slice,
            int inUse,
            int need,
            boolean exact,
            long leaseMillis) {}

    /**
     * What a member is given.
     *
     * @param granted its slice, until the lease ends
     * @param goal what its slice should be by now; if it is less than granted, the member should say a smaller slice soon
     * @param cap the cap of all
     * @param waitMillis asking sooner for what an exact claim did not get is likely to be in vain: others have their turn,
     *     of 50 ms or as long as an operation takes if that is more; at most a second
     */
    record Share(int granted, int goal, int cap, long waitMillis) {
        /** That may be asked for again at any time. */
        public Share(int granted, int goal, int cap) {
            this(granted, goal, cap, 0);
        }
    }

    /**
     * A member as the engine sees it.
     *
     * @param slice its slice
     * @param held what is set aside for it: its slice, or what it has in flight if that is more
     * @param need what it said it could use
     * @param leaseLeftMillis how long its lease goes on
     */
    record Member(String owner, int slice, int held, int need, long leaseLeftMillis) {}

    /** A cap and its live members, by owner. */
    record Division(int cap, List<Member> members) {
        /** An immutable copy. */
        public Division {
            members = List.copyOf(members);
        }

        /** What is set aside for all members. Above the cap while a lowered cap drains, or when somebody came back after its lease with work in flight. */
        public int held() {
            return members.stream().mapToInt(Member::held).sum();
        }
    }

    /** Renews the member's lease, takes back what it says it no longer needs, and gives it what it may have more. */
    Share claim(Claim claim);

    /** Ends the member's lease: its slice is free. Nothing happens if it has none. */
    void leave(String bulkhead, String owner);

    /**
     * Sets the cap, for all. If more is held, nobody's slice grows until less is.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    void setCap(String bulkhead, int cap);

    /**
     * Deletes a cap that nobody has a lease on; whether it was there and is gone.
     */
    boolean delete(String bulkhead);

    /** Who holds what, or empty if there is no cap of this name. */
    Optional<Division> inspect(String bulkhead);
}

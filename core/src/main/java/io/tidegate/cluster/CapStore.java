package io.tidegate.cluster;

import java.util.List;
import java.util.Optional;

/**
 * An engine through which the processes of a cluster share caps. Each operation is one atomic step there, and only the
 * engine's clock counts.
 *
 * <p>{@link ClusterBulkhead} relies on this promise of every implementation: until the lease of a member ends, its
 * slice belongs to it, whatever others ask for; it shrinks only when the member says so. A slice grows only while the
 * sum of what all live members hold stays within the cap. {@code CapStoreContract} of the testkit checks it.
 *
 * <p>Thread-safe. Operations block for a round trip and throw a {@link RuntimeException} when the engine cannot be
 * reached; the operation may then have been applied.
 */
public interface CapStore {
    /**
     * A member's report and request.
     *
     * @param bulkhead the name of the shared cap
     * @param owner the member, a name that no other start of any process has
     * @param number a number that rises with each claim of the member; a late or repeated claim changes nothing
     * @param firstCap the cap, if there is none under this name yet
     * @param slice the slice that the member still uses; never more than it was granted last
     * @param inUse what it has in flight: more than its slice if it drains, or if its lease had ended
     * @param need what it could use now, in flight included
     * @param exact asks for {@code need} and no more, first come, first served; otherwise the need is a weight when the
     *     cap is divided, and the member keeps one permit even if it needs none, while there are as many permits as
     *     members
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
     * What a member gets.
     *
     * @param granted its slice, until the lease ends
     * @param goal what its slice should be by now; if it is less than granted, the member should report a smaller slice
     *     soon
     * @param cap the cap of all
     * @param waitMillis how long an exact claim that did not get everything should wait before the next one, while
     *     others have their turn: 50 ms, or as long as an operation takes if that is longer; at most a second
     */
    record Share(int granted, int goal, int cap, long waitMillis) {
        /** A share that may be claimed again at any time. */
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
     * @param leaseLeftMillis how long its lease still lasts
     */
    record Member(String owner, int slice, int held, int need, long leaseLeftMillis) {}

    /** A cap and its live members, by owner. */
    record Division(int cap, List<Member> members) {
        /** An immutable copy. */
        public Division {
            members = List.copyOf(members);
        }

        /**
         * What is set aside for all members. Above the cap while a lowered cap drains, or when a member came back after
         * its lease with work in flight.
         */
        public int held() {
            return members.stream().mapToInt(Member::held).sum();
        }
    }

    /** Renews the member's lease, takes back what it no longer needs, and gives it more if more is available. */
    Share claim(Claim claim);

    /** Ends the member's lease: its slice is free. Nothing happens if it has none. */
    void leave(String bulkhead, String owner);

    /**
     * Sets the cap, for all. If more is held, no slice grows until less is.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    void setCap(String bulkhead, int cap);

    /**
     * Deletes a cap on which no member has a lease; returns whether it was deleted.
     */
    boolean delete(String bulkhead);

    /** The cap and its members, or empty if there is no cap of this name. */
    Optional<Division> inspect(String bulkhead);
}

package io.tidegate.lab.groups;

import static java.util.Comparator.comparing;

import io.tidegate.group.GroupPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tenants that share a few places to run, and one of them that offers far too much for a while.
 *
 * @param tenants how many there are
 * @param perSecond how many tasks each offers
 * @param wildPerSecond how many the wild one offers while it is wild
 * @param work how long a task takes
 * @param places how many tasks run at once
 * @param placesEach how many of a tenant run at once, if tenants are groups
 * @param waitingEach how many of a tenant may wait, if tenants are groups
 * @param patience how long after it was due a task is still of use
 * @param warmUp how long the tasks are not counted
 * @param before how long the load is normal then
 * @param wild how long the one tenant is wild
 * @param after how long the load is normal again
 */
public record TenantPlan(
        int tenants,
        int perSecond,
        int wildPerSecond,
        Duration work,
        int places,
        int placesEach,
        int waitingEach,
        Duration patience,
        Duration warmUp,
        Duration before,
        Duration wild,
        Duration after) {
    public static final TenantPlan DEFAULT = new TenantPlan(
            20,
            10,
            1_000,
            Duration.ofMillis(50),
            20,
            4,
            20,
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofMillis(2_500),
            Duration.ofMillis(2_500));

    /** The tenant that goes wild. */
    static final int WILD_ONE = 0;

    /** The phases, one after the other. */
    enum Phase {
        BEFORE,
        WILD,
        AFTER
    }

    /**
     * A task that is to be submitted.
     *
     * @param due when, from the end of the warm-up; before that it is negative
     * @param tenant the number of its tenant, from 0
     */
    record Offer(Duration due, int tenant) {}

    /** Returns all tasks, in order of time. */
    List<Offer> offers() {
        List<Offer> offers = new ArrayList<>();
        for (int tenant = 0; tenant < tenants; tenant++) {
            // The tenants do not start all at once: each starts a little after the one before it.
            Duration stagger = interval(perSecond).multipliedBy(tenant).dividedBy(tenants);
            Duration due = stagger.minus(warmUp);
            while (due.compareTo(length()) < 0) {
                offers.add(new Offer(due, tenant));
                boolean wildly = tenant == WILD_ONE && phaseAt(due) == Phase.WILD;
                due = due.plus(interval(wildly ? wildPerSecond : perSecond));
            }
        }
        offers.sort(comparing(Offer::due));
        return offers;
    }

    private static Duration interval(int perSecond) {
        return Duration.ofSeconds(1).dividedBy(perSecond);
    }

    Phase phaseAt(Duration elapsed) {
        if (elapsed.compareTo(before) < 0) {
            return Phase.BEFORE;
        }
        return elapsed.compareTo(before.plus(wild)) < 0 ? Phase.WILD : Phase.AFTER;
    }

    /** Returns how long tasks are offered and counted. */
    Duration length() {
        return before.plus(wild).plus(after);
    }

    /** Returns how many tasks of all tenants together may wait. */
    int waiting() {
        return tenants * waitingEach;
    }

    /** Returns how many tasks all places together can do in a second. */
    int capacityPerSecond() {
        return (int) (places * Duration.ofSeconds(1).toNanos() / work.toNanos());
    }

    GroupPolicy policy() {
        return GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(placesEach)
                .globalMaxInFlight(places)
                .defaultQueueThresholdPerGroup(waitingEach)
                .build();
    }
}

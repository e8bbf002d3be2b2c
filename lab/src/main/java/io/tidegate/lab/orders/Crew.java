package io.tidegate.lab.orders;

import io.tidegate.Registry;
import io.tidegate.lease.DomainSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The workers on one store. A worker that dies is soon replaced. */
public interface Crew extends AutoCloseable {
    /** The state of a worker in the middle of an order. */
    String AT_WORK = "at work";

    /** A worker and its present state. */
    record Member(String name, String state) {}

    /** Starts a crew: in memory one worker at a time in this process, on any other store several processes. */
    static Crew start(Store store, OrderPlan plan, OrderBook book, Registry registry) throws IOException {
        return store.isMemory() ? new ThreadCrew(plan, book, registry) : ProcessCrew.start(store, plan, book, registry);
    }

    /** Hands in an order. Returns false if no worker took it; then it must be handed in again. For one thread. */
    boolean offer(String customer, long order);

    /** Kills a worker, preferably one that is at work, and returns its name; empty if none lives. */
    String kill();

    /** Replaces workers that have been dead for long enough. To be called regularly. */
    void replaceDead();

    /**
     * Returns what the leases know of a customer. This may be more than the workers reported, because a worker may die
     * before its report.
     */
    Optional<DomainSnapshot> inspect(String customer);

    /** The living workers, and the last ones that died. */
    List<Member> members();

    @Override
    void close();
}

package io.tidegate.lab.orders;

import io.tidegate.Registry;
import io.tidegate.lease.DomainSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Workers on one store. When one dies, another is soon there. */
public interface Crew extends AutoCloseable {
    /** One of them, as it is now. */
    record Member(String name, String state) {}

    /** Starts one: of one worker after the other in this process for memory, of processes for anything else. */
    static Crew start(Store store, DyingWorker plan, OrderBook book, Registry registry) throws IOException {
        return store.isMemory() ? new ThreadCrew(plan, book, registry) : ProcessCrew.start(store, plan, book, registry);
    }

    /** Hands an order in, from one thread; whether the leases have it now. If not, it must be handed in again. */
    boolean offer(String customer, long order);

    /** Kills a worker, if it can one that is at work, and returns its name; empty if none lives. */
    String kill();

    /** Replaces the dead whose time has come. To be called again and again. */
    void replaceDead();

    /** What the leases know of a customer. A worker may die before it has told of an order that has ended. */
    Optional<DomainSnapshot> inspect(String customer);

    /** Those who live, and those who died last. */
    List<Member> members();

    @Override
    void close();
}

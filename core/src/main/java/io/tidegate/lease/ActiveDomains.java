package io.tidegate.lease;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The domains that a runner works on. A domain is removed, under its own lock, when nothing is left to do in it. */
final class ActiveDomains {
    private final Map<String, ActiveDomain> domains = new ConcurrentHashMap<>();
    private final Function<String, ActiveDomain> fresh;

    /** @param fresh makes a domain that has no work yet */
    ActiveDomains(Function<String, ActiveDomain> fresh) {
        this.fresh = fresh;
    }

    /** Locks the domain; {@link #unlock} must follow. */
    ActiveDomain lock(String domainId) {
        for (; ; ) {
            ActiveDomain domain = domains.computeIfAbsent(domainId, fresh);
            domain.lock();
            if (!domain.isRetired()) {
                return domain;
            }
            domain.unlock();
        }
    }

    /** Unlocks the domain, and then delivers the notifications that were noted meanwhile. */
    void unlock(ActiveDomain domain) {
        if (domain.retire()) {
            domains.remove(domain.id, domain);
        }
        List<Runnable> ends = domain.takeNotifications();
        domain.unlock();
        ends.forEach(Runnable::run);
    }

    /** Returns whether the domain is here, without waiting for its lock, which a turn may hold for long. */
    boolean contains(String domainId) {
        return domains.containsKey(domainId);
    }

    Collection<ActiveDomain> all() {
        return domains.values();
    }

    int size() {
        return domains.size();
    }

    int count(Predicate<ActiveDomain> which) {
        return (int) domains.values().stream().filter(which).count();
    }
}

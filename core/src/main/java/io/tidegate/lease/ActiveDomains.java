package io.tidegate.lease;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The domains that a runner works on. One leaves them under its own lock when nothing is left to do. */
final class ActiveDomains {
    private final Map<String, ActiveDomain> domains = new ConcurrentHashMap<>();
    private final Function<String, ActiveDomain> fresh;

    /** @param fresh makes a domain that nobody works on yet */
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

    /** Unlocks it, and delivers the news that came up meanwhile. */
    void unlock(ActiveDomain domain) {
        if (domain.retire()) {
            domains.remove(domain.id, domain);
        }
        List<Runnable> ends = domain.takeNews();
        domain.unlock();
        ends.forEach(Runnable::run);
    }

    /** Without waiting for its lock, which a turn may hold for long. */
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

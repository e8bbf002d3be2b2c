package io.tidegate.bench.engines;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;

/** ShedLock, with a lock for each domain; a worker that does not get it asks again. */
final class ShedLockWay implements Way {
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    private final LockProvider locks;

    ShedLockWay(DataSource pool) {
        locks = new JdbcLockProvider(pool);
    }

    @Override
    public String label() {
        return "ShedLock";
    }

    @Override
    public Running start(Load load) {
        return Workers.start(load, worker -> {
            IntSupplier domains = load.domainsOf(worker);
            return () -> lockAndUnlock("domain-" + domains.getAsInt());
        });
    }

    private int lockAndUnlock(String name) {
        Optional<SimpleLock> lock = locks.lock(new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO));
        if (lock.isEmpty()) {
            Pauses.untilNextTry();
            return 0;
        }
        lock.get().unlock();
        return 1;
    }
}

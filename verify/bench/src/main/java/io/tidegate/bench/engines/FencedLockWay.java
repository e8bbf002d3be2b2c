package io.tidegate.bench.engines;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;

/** Redisson's fenced lock, one for each domain, with a time after which the lock is lost. */
final class FencedLockWay implements Way {
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    private final RedissonClient redisson;

    FencedLockWay(RedissonClient redisson) {
        this.redisson = redisson;
    }

    @Override
    public String label() {
        return "Redisson fenced lock";
    }

    @Override
    public Running start(Load load) {
        return Workers.start(load, worker -> {
            IntSupplier domains = load.domainsOf(worker);
            return () -> lockAndUnlock(redisson.getFencedLock("domain-" + domains.getAsInt()));
        });
    }

    private static int lockAndUnlock(RFencedLock lock) {
        lock.lockAndGetToken(AT_MOST.toMillis(), TimeUnit.MILLISECONDS);
        lock.unlock();
        return 1;
    }
}

package io.tidegate.lab.groups;

import io.tidegate.lab.groups.TenantPlan.Offer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** A small plan, and written runs of it, without any measurement. */
final class TenantScript {
    /** Two tenants and a wild one: the load is normal until 200 ms, and again from 500 ms to 700 ms. */
    static final TenantPlan PLAN = new TenantPlan(
            3,
            10,
            40,
            Duration.ofMillis(20),
            2,
            1,
            5,
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(300),
            Duration.ofMillis(200));

    final TenantLog log;

    TenantScript(TenantPlan plan) {
        log = new TenantLog(plan);
    }

    /**
     * Ten tasks of the others are late and two refused, some of them after the wild phase; the wild one gets two
     * places.
     */
    static TenantScript pool(TenantPlan plan) {
        TenantScript script = new TenantScript(plan);
        script.ran(0, 0);
        script.log.stopped(0);
        script.done(0, 1, 20)
                .done(210, 1, 150)
                .done(310, 1, 200)
                .refused(410, 1)
                .refused(410, 2);
        for (int i = 0; i < 8; i++) {
            script.done(510, 2, 180);
        }
        return script.done(200, 0, 20).done(250, 0, 150).refused(300, 0);
    }

    /** All tasks of the others are done in time; the wild one gets one place. */
    static TenantScript groups(TenantPlan plan) {
        TenantScript script = new TenantScript(plan);
        script.ran(0, 1);
        return script.done(0, 1, 20)
                .done(210, 1, 21)
                .done(310, 2, 22)
                .done(510, 2, 20)
                .done(200, 0, 20)
                .refused(250, 0)
                .refused(300, 0);
    }

    /** Lets these tenants run at once. */
    TenantScript ran(int... tenants) {
        for (int tenant : tenants) {
            log.began(tenant);
        }
        return this;
    }

    TenantScript handedIn(long dueMs, long lateMs) {
        log.handedIn(offer(dueMs, 1), Duration.ofMillis(lateMs));
        return this;
    }

    TenantScript done(long dueMs, int tenant, long waitedMs) {
        log.ended(offer(dueMs, tenant), Duration.ofMillis(waitedMs), null);
        return this;
    }

    TenantScript refused(long dueMs, int tenant) {
        log.ended(offer(dueMs, tenant), Duration.ZERO, new RejectedExecutionException());
        return this;
    }

    private static Offer offer(long dueMs, int tenant) {
        return new Offer(Duration.ofMillis(dueMs), tenant);
    }
}

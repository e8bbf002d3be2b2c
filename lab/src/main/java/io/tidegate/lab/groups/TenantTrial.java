package io.tidegate.lab.groups;

import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;

import io.tidegate.lab.groups.TenantPlan.Offer;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.print.ProgressLine;
import io.tidegate.lab.print.Screen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Hands the tasks of all tenants to one executor, each when it is due, however slowly the earlier ones are done.
 *
 * @param title the name of the run in the progress line
 * @param plan which tenant offers what
 * @param executor runs the tasks
 * @param time the clock by which the tasks are due
 */
record TenantTrial(String title, TenantPlan plan, Shared executor, Time time) {
    /** Runs the tasks of all tenants. */
    interface Shared {
        /** Returns at once. The returned future ends when the task has ended, or with a refusal. */
        CompletableFuture<?> submit(int tenant, Callable<?> task);
    }

    /** Returns when every task has ended. */
    TenantLog run(Screen screen) throws InterruptedException {
        TenantLog log = new TenantLog(plan);
        List<CompletableFuture<?>> ends = new ArrayList<>();
        long start = time.nanos() + plan.warmUp().toNanos();
        try (ProgressLine progress = new ProgressLine(screen)) {
            progress.start(() -> state(start, log));
            for (Offer offer : plan.offers()) {
                long due = start + offer.due().toNanos();
                time.sleepUntil(due);
                log.handedIn(offer, Duration.ofNanos(time.nanos() - due));
                ends.add(executor.submit(offer.tenant(), () -> work(offer.tenant(), log))
                        .whenComplete((done, error) -> log.ended(offer, Duration.ofNanos(time.nanos() - due), error)));
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                    .exceptionally(refused -> null)
                    .join();
        }
        return log;
    }

    private Void work(int tenant, TenantLog log) throws InterruptedException {
        log.began(tenant);
        try {
            time.sleep(plan.work().toNanos());
            return null;
        } finally {
            log.stopped(tenant);
        }
    }

    private String state(long start, TenantLog log) {
        Duration elapsed = Duration.ofNanos(time.nanos() - start);
        return String.format(
                Locale.ROOT,
                "%-12s %d of ~%d s: %s; the others: in time %,d, late %,d, refused %,d",
                title,
                elapsed.plus(plan.warmUp()).toSeconds(),
                plan.warmUp().plus(plan.length()).toSeconds(),
                elapsed.isNegative() ? "warming up" : phase(elapsed),
                log.others(IN_TIME),
                log.others(LATE),
                log.others(REFUSED));
    }

    private String phase(Duration elapsed) {
        return switch (plan.phaseAt(elapsed)) {
            case BEFORE -> "all is well";
            case WILD -> "one goes wild";
            case AFTER -> "it is over";
        };
    }
}

package io.tidegate.lab.groups;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static io.tidegate.lab.print.Numbers.millis;
import static io.tidegate.lab.print.Numbers.seconds;
import static io.tidegate.lab.print.Numbers.whole;

import io.tidegate.lab.groups.TenantPlan.Phase;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.print.Table;
import java.util.Arrays;
import java.util.Locale;

/** Explains the groups scene and reports its results. */
record GroupsReport(TenantPlan plan) {
    /** How many times fewer tasks of the others must be hurt for the report to call them protected. */
    private static final int CLEARLY = 10;

    String opening() {
        return String.format(
                Locale.ROOT,
                """
                %d tenants share one executor that runs %d tasks at once. A task sleeps for %s, as if it
                asked a database, so %,d a second can be done. A tenant offers %d a second, all of them %,d.
                After %s one goes wild and offers %,d a second for %s. What do the %d others feel of it?
                A task that is not done within %s is late. First in a pool of %d threads with one queue for
                %d tasks; then in a GroupExecutor with %d places, of which a tenant gets up to %d, and a
                queue for %d tasks of each tenant:
                """,
                plan.tenants(),
                plan.places(),
                millis(plan.work()),
                plan.capacityPerSecond(),
                plan.perSecond(),
                plan.tenants() * plan.perSecond(),
                seconds(plan.before()),
                plan.wildPerSecond(),
                seconds(plan.wild()),
                others(),
                millis(plan.patience()),
                plan.places(),
                plan.waiting(),
                plan.places(),
                plan.placesEach(),
                plan.waitingEach());
    }

    Table table(TenantLog pool, TenantLog groups) {
        return new Table("shared pool", "GroupExecutor")
                .row("the " + others() + " others", "", "")
                .row("  wait for the end, p99: before", p99(pool, Phase.BEFORE), p99(groups, Phase.BEFORE))
                .row("    while one is wild", p99(pool, Phase.WILD), p99(groups, Phase.WILD))
                .row("    after", p99(pool, Phase.AFTER), p99(groups, Phase.AFTER))
                .row("  done in time", count(pool, IN_TIME), count(groups, IN_TIME))
                .row("  late", count(pool, LATE), count(groups, LATE))
                .row("  refused", count(pool, REFUSED), count(groups, REFUSED))
                .row("  failed otherwise", count(pool, FAILED), count(groups, FAILED))
                .row("  tenants that felt it", tenants(pool), tenants(groups))
                .row("the wild one, while it is wild", "", "")
                .row("  done", whole(done(pool)), whole(done(groups)))
                .row(
                        "  refused",
                        whole(pool.wildOne().count(REFUSED)),
                        whole(groups.wildOne().count(REFUSED)))
                .row("  places taken, peak", whole(pool.peakOfWildOne()), whole(groups.peakOfWildOne()))
                .row("places taken by all, peak", whole(pool.peak()), whole(groups.peak()))
                .row("handed in too late by, at worst", millis(pool.latestHandIn()), millis(groups.latestHandIn()));
    }

    String finding(TenantLog pool, TenantLog groups) {
        if (stoodStill(pool) || stoodStill(groups)) {
            return """
                    This run shows nothing: this machine stood still for so long that tasks were late before they
                    were handed in. Try again when it is idle.""";
        }
        if (CLEARLY * hurt(groups) >= hurt(pool)) {
            return """
                    This run does not show what groups are for: the others were not hurt in the shared pool, or
                    not clearly less in groups. Something else may keep this machine busy; try again when it is
                    idle.""";
        }
        return String.format(
                Locale.ROOT,
                """
                In the shared pool one wild tenant hurt %s others: %s of their tasks were late or
                refused, %s of these when it was over. In groups it hurt %s, with %s tasks, and their p99
                while it was wild was %s instead of %s. The price: of the wild one %s tasks were
                done instead of %s, as a tenant never gets more than its places, even if others are free.""",
                tenants(pool),
                whole(hurt(pool)),
                whole(hurt(pool.others(Phase.AFTER))),
                tenants(groups),
                whole(hurt(groups)),
                p99(groups, Phase.WILD),
                p99(pool, Phase.WILD),
                whole(done(groups)),
                whole(done(pool)));
    }

    /** Whether a task could be late without any other task in its way. */
    private boolean stoodStill(TenantLog log) {
        return log.latestHandIn().plus(plan.work()).compareTo(plan.patience()) > 0;
    }

    private int others() {
        return plan.tenants() - 1;
    }

    private static String p99(TenantLog log, Phase phase) {
        Outcomes outcomes = log.others(phase);
        return outcomes.count(IN_TIME) + outcomes.count(LATE) == 0 ? "-" : millis(outcomes.waitAt(99));
    }

    private static String count(TenantLog log, Outcomes.Kind kind) {
        return whole(log.others(kind));
    }

    private String tenants(TenantLog log) {
        return log.tenantsHurt() + " of " + others();
    }

    private static long hurt(TenantLog log) {
        return Arrays.stream(Phase.values())
                .mapToLong(phase -> hurt(log.others(phase)))
                .sum();
    }

    private static long hurt(Outcomes outcomes) {
        return outcomes.count(LATE) + outcomes.count(REFUSED) + outcomes.count(FAILED);
    }

    private static long done(TenantLog log) {
        return log.wildOne().count(IN_TIME) + log.wildOne().count(LATE);
    }
}

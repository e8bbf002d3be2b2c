package io.tidegate.lab.groups;

import static java.util.Objects.requireNonNull;

import io.tidegate.lab.groups.TenantPlan.Offer;
import io.tidegate.lab.groups.TenantPlan.Phase;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.print.Cells;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What became of the tasks of all tenants in one run. A task counts for the time at which it was due. Thread-safe. */
final class TenantLog {
    private final TenantPlan plan;
    private final Map<Phase, Outcomes> others = new EnumMap<>(Phase.class);
    private final Outcomes wildOne;
    private final Set<Integer> hurt = new TreeSet<>();
    private final long[] waitedMs;
    private final int[] done;
    private final int[] refused;
    private int running;
    private int runningOfWildOne;
    private int peakOfWildOne;
    private int peak;
    private Duration latestHandIn = Duration.ZERO;

    TenantLog(TenantPlan plan) {
        this.plan = plan;
        for (Phase phase : Phase.values()) {
            others.put(phase, new Outcomes(plan.patience(), 1));
        }
        wildOne = new Outcomes(plan.patience(), 1);
        int cells = Cells.count(plan.length());
        waitedMs = new long[cells];
        done = new int[cells];
        refused = new int[cells];
    }

    /**
     * Counts a task that is handed in, after the warm-up.
     *
     * @param late how long after it was due
     */
    synchronized void handedIn(Offer offer, Duration late) {
        if (!offer.due().isNegative() && late.compareTo(latestHandIn) > 0) {
            latestHandIn = late;
        }
    }

    /** Counts a task that begins to run. */
    synchronized void began(int tenant) {
        running++;
        runningOfWildOne += tenant == TenantPlan.WILD_ONE ? 1 : 0;
        peak = Math.max(peak, running);
        peakOfWildOne = Math.max(peakOfWildOne, runningOfWildOne);
    }

    /** Counts a task that no longer runs. */
    synchronized void stopped(int tenant) {
        running--;
        runningOfWildOne -= tenant == TenantPlan.WILD_ONE ? 1 : 0;
    }

    /**
     * Counts a task that has ended, after the warm-up.
     *
     * @param waited the time from when it was due to its end
     * @param error what it ended with, {@code null} if it was done
     */
    synchronized void ended(Offer offer, Duration waited, @Nullable Throwable error) {
        if (offer.due().isNegative()) {
            return;
        }
        Phase phase = plan.phaseAt(offer.due());
        if (offer.tenant() != TenantPlan.WILD_ONE) {
            Outcomes.Kind kind = others(phase).record(0, waited.toNanos(), error);
            count(offer, waited, kind);
        } else if (phase == Phase.WILD) {
            wildOne.record(0, waited.toNanos(), error);
        }
    }

    private void count(Offer offer, Duration waited, Outcomes.Kind kind) {
        int cell = Cells.at(offer.due(), done.length);
        if (kind != Outcomes.Kind.IN_TIME) {
            hurt.add(offer.tenant());
        }
        if (kind == Outcomes.Kind.REFUSED) {
            refused[cell]++;
        } else {
            done[cell]++;
            waitedMs[cell] += waited.toMillis();
        }
    }

    /** Returns what became of the tasks of the others that were due in a phase. */
    Outcomes others(Phase phase) {
        return requireNonNull(others.get(phase));
    }

    /** Returns how many tasks of the others ended in this way. */
    long others(Outcomes.Kind kind) {
        return others.values().stream()
                .mapToLong(outcomes -> outcomes.count(kind))
                .sum();
    }

    /** Returns what became of the wild tenant's tasks of its wild phase. */
    Outcomes wildOne() {
        return wildOne;
    }

    /** Returns how many of the others had a task that was not done in time. */
    synchronized int tenantsHurt() {
        return hurt.size();
    }

    /** Returns how many tasks ran at once at the busiest moment. */
    synchronized int peak() {
        return peak;
    }

    /** Returns how many tasks of the wild tenant ran at once at its busiest moment. */
    synchronized int peakOfWildOne() {
        return peakOfWildOne;
    }

    /** Returns the greatest delay before a task was handed in. Such a delay is the machine's fault, not a tenant's. */
    synchronized Duration latestHandIn() {
        return latestHandIn;
    }

    /** Returns the mean wait of the others' tasks due in each cell of the chart, in milliseconds. */
    synchronized int[] waitMsByCell() {
        int[] means = new int[done.length];
        Arrays.setAll(means, cell -> done[cell] == 0 ? 0 : (int) (waitedMs[cell] / done[cell]));
        return means;
    }

    /** Returns how many tasks of the others due in each cell of the chart were refused. */
    synchronized int[] refusedByCell() {
        return refused.clone();
    }
}

package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LeaseHistory} may assume of its leases. The more is given, the more is checked. Immutable.
 */
public final class LeaseRules {
    /**
     * Leases that only {@code succeed} and {@code fail} end: those in memory, and those of an engine that do not run
     * out.
     */
    public static final LeaseRules IN_MEMORY = new LeaseRules(false, null, null, Duration.ZERO);

    /** Leases of an engine: another owner can take over, and the last finish can be repeated. */
    public static final LeaseRules ENGINE = new LeaseRules(true, null, null, Duration.ZERO);

    final boolean onEngine;
    final @Nullable Integer maxRetries;
    private final @Nullable Duration leaseDuration;
    private final Duration tolerance;

    private LeaseRules(
            boolean onEngine, @Nullable Integer maxRetries, @Nullable Duration leaseDuration, Duration tolerance) {
        this.onEngine = onEngine;
        this.maxRetries = maxRetries;
        this.leaseDuration = leaseDuration;
        this.tolerance = tolerance;
    }

    /**
     * Returns the same rules with this many retries. By default any number is accepted that explains the whole history
     * of a domain.
     */
    public LeaseRules withMaxRetries(int retries) {
        return new LeaseRules(onEngine, retries, leaseDuration, tolerance);
    }

    /**
     * Returns the same rules with leases that last this long. Only for a history whose numbers are nanoseconds. By
     * default a lease may have run out at any time.
     *
     * @param apart how far the engine's clock and that of the history may drift apart meanwhile
     */
    public LeaseRules withLeaseDuration(Duration duration, Duration apart) {
        return new LeaseRules(
                onEngine, maxRetries, requireNonNull(duration, "duration"), requireNonNull(apart, "apart"));
    }

    /*
     * The engine read its clock at some instant between call and return, both when it gave or prolonged the lease and
     * when it judged it. So a lease can be over if its duration fits between the call of the first operation and the
     * return of the second. It can still last if there is less than its duration between the return of the first and
     * the call of the second.
     */

    /** The time at which a lease was given or prolonged: always the same if durations are ignored. */
    LeaseTime timeOf(LeaseOperation prolonging) {
        return leaseDuration == null ? LeaseTime.ANY : LeaseTime.of(prolonging);
    }

    boolean mayBeOver(LeaseTime prolonged, LeaseOperation judged) {
        return leaseDuration == null
                || judged.isUnknown()
                || judged.returned() - prolonged.from()
                        >= leaseDuration.minus(tolerance).toNanos();
    }

    boolean mayLast(LeaseTime prolonged, LeaseOperation judged) {
        return leaseDuration == null
                || prolonged.isOpen()
                || judged.called - prolonged.to()
                        < leaseDuration.plus(tolerance).toNanos();
    }
}

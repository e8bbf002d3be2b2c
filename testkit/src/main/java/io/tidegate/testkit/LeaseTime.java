package io.tidegate.testkit;

import java.util.HashSet;
import java.util.Set;

/**
 * When a lease got its time: at an instant between the call and the return of one operation, or of one of {@code
 * several}, of which any may have come last.
 */
record LeaseTime(Set<Span> spans, boolean several) {
    /** The time between the call and the return of an operation. */
    record Span(long called, long returned) {}

    static final LeaseTime ANY = new LeaseTime(Set.of(new Span(Long.MIN_VALUE, LeaseOperation.NEVER)), true);

    static LeaseTime of(LeaseOperation prolonging) {
        return new LeaseTime(Set.of(new Span(prolonging.called, prolonging.returned())), false);
    }

    long from() {
        return spans.stream().mapToLong(Span::called).min().orElseThrow();
    }

    long to() {
        return spans.stream().mapToLong(Span::returned).max().orElseThrow();
    }

    boolean isOpen() {
        return to() == LeaseOperation.NEVER;
    }

    LeaseTime or(LeaseTime other) {
        Set<Span> both = new HashSet<>(spans);
        both.addAll(other.spans);
        return new LeaseTime(Set.copyOf(both), true);
    }

    /**
     * Returns the time after another operation. If there are several, those that had not returned when the other was
     * called may have come after it.
     */
    LeaseTime then(LeaseTime other) {
        if (!several || equals(ANY)) {
            return other;
        }
        Set<Span> last = new HashSet<>(spans);
        last.removeIf(span -> span.returned < other.from());
        return last.isEmpty() ? other : new LeaseTime(last, true).or(other);
    }

    boolean isAnyOf(LeaseTime one) {
        return several && (equals(ANY) || spans.containsAll(one.spans));
    }
}

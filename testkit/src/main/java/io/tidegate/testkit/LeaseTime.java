package io.tidegate.testkit;

/**
 * A lease got its time at an instant not before {@code from} and not after {@code to}, by one operation or by one of
 * {@code several}.
 */
record LeaseTime(long from, long to, boolean several) {
    static final LeaseTime ANY = new LeaseTime(Long.MIN_VALUE, LeaseOperation.NEVER, true);

    static LeaseTime of(LeaseOperation prolonging) {
        return new LeaseTime(prolonging.called, prolonging.returned(), false);
    }

    boolean isOpen() {
        return to == LeaseOperation.NEVER;
    }

    LeaseTime or(LeaseTime other) {
        return new LeaseTime(Math.min(from, other.from), Math.max(to, other.to), true);
    }

    boolean isAnyOf(LeaseTime one) {
        return several && from <= one.from && one.to <= to;
    }
}

package io.tidegate.bench;

import org.jspecify.annotations.Nullable;

/**
 * An upper bound on the cost of Tidegate.
 *
 * @param reference the label of the contestant whose cost the limit multiplies, or null for an absolute limit
 * @param by the label of the contestant that must reach it, or null for the row's first of Tidegate
 */
public record Target(
        int threads,
        Quantity quantity,
        double limit,
        @Nullable String reference,
        @Nullable String by) {
    /** The quantity that a target bounds. */
    enum Quantity {
        TIME(" ns", ""),
        /** The time of all processors together. */
        PROCESSOR_TIME(" ns CPU", " in CPU"),
        /** Whole bytes, because a fraction comes from the rest of the process. */
        MEMORY(" B", " in bytes");

        private final String unit;
        private final String comparison;

        Quantity(String unit, String comparison) {
            this.unit = unit;
            this.comparison = comparison;
        }

        private double of(Measurement cost) {
            return switch (this) {
                case TIME -> cost.nanos();
                case PROCESSOR_TIME -> cost.processorNanos();
                case MEMORY -> Math.rint(cost.bytes());
            };
        }
    }

    /** Bounds the time by so many times that of another contestant. */
    public static Target time(int threads, double times, String reference) {
        return new Target(threads, Quantity.TIME, times, reference, null);
    }

    /** Bounds the time by so many nanoseconds. */
    public static Target nanos(int threads, double nanos) {
        return new Target(threads, Quantity.TIME, nanos, null, null);
    }

    /** Bounds the time of all processors together by so many nanoseconds. */
    public static Target processorNanos(int threads, double nanos) {
        return new Target(threads, Quantity.PROCESSOR_TIME, nanos, null, null);
    }

    /** Bounds the bytes by so many times those of another contestant. */
    public static Target memory(int threads, double times, String reference) {
        return new Target(threads, Quantity.MEMORY, times, reference, null);
    }

    /** Bounds the bytes. */
    public static Target bytes(int threads, double bytes) {
        return new Target(threads, Quantity.MEMORY, bytes, null, null);
    }

    /** Returns the same target for another of Tidegate's contestants. */
    public Target by(String label) {
        return new Target(threads, quantity, limit, reference, label);
    }

    /** Returns the quantity to compare with the limit. */
    double reached(Measurement tidegate, @Nullable Measurement other) {
        double cost = quantity.of(tidegate);
        return other == null ? cost : cost / quantity.of(other);
    }

    boolean isOfTime() {
        return quantity == Quantity.TIME;
    }

    boolean isMetBy(double reached) {
        return reached <= limit;
    }

    String describe() {
        return "≤ " + show(limit) + (reference == null ? "" : " " + reference + quantity.comparison);
    }

    String show(double reached) {
        return Numbers.show(reached) + (reference == null ? quantity.unit : "×");
    }
}

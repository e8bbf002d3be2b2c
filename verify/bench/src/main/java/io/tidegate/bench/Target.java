package io.tidegate.bench;

import org.jspecify.annotations.Nullable;

/**
 * An upper bound on what Tidegate may cost.
 *
 * @param reference the label of the contestant that the limit multiplies, or null for a limit as it stands
 * @param by the label of the contestant that must reach it, or null for the row's first of Tidegate
 */
public record Target(
        int threads,
        Quantity quantity,
        double limit,
        @Nullable String reference,
        @Nullable String by) {
    /** What a target bounds. */
    enum Quantity {
        TIME(" ns", ""),
        /** Of all processors together. */
        PROCESSOR_TIME(" ns CPU", " in CPU"),
        /** In whole bytes: the fraction is the rest of the process. */
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

    /** At most so many times the time of another contestant. */
    public static Target time(int threads, double times, String reference) {
        return new Target(threads, Quantity.TIME, times, reference, null);
    }

    /** At most so many nanoseconds. */
    public static Target nanos(int threads, double nanos) {
        return new Target(threads, Quantity.TIME, nanos, null, null);
    }

    /** At most so many nanoseconds of all processors together. */
    public static Target processorNanos(int threads, double nanos) {
        return new Target(threads, Quantity.PROCESSOR_TIME, nanos, null, null);
    }

    /** At most so many times the bytes of another contestant. */
    public static Target memory(int threads, double times, String reference) {
        return new Target(threads, Quantity.MEMORY, times, reference, null);
    }

    /** At most so many bytes. */
    public static Target bytes(int threads, double bytes) {
        return new Target(threads, Quantity.MEMORY, bytes, null, null);
    }

    /** The same for another of Tidegate's contestants. */
    public Target by(String label) {
        return new Target(threads, quantity, limit, reference, label);
    }

    /** What is compared with the limit. */
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

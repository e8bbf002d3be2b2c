package io.tidegate.bench.engines;

import io.tidegate.bench.Numbers;
import java.util.List;

/**
 * Cycles in a second.
 *
 * @param spread how far the rounds are from it, as a part of it
 */
record Rate(double median, double spread) {
    static Rate of(List<Double> rounds) {
        double[] sorted =
                rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double median = sorted[sorted.length / 2];
        return new Rate(median, Math.max(median - sorted[0], sorted[sorted.length - 1] - median) / median);
    }

    @Override
    public String toString() {
        return Numbers.show(median) + " ± " + Numbers.show(Math.rint(100 * spread)) + "%";
    }
}

package io.tidegate.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The cost of one operation.
 *
 * @param processorNanos of all threads of the process
 * @param disturbed whether other processes took a share of the processors, so that threads met less often than they
 *     would
 */
record Measurement(double nanos, double bytes, double processorNanos, boolean disturbed) {
    /** The median of each quantity over the undisturbed iterations, or over all if there are only disturbed ones. */
    static Measurement median(List<Measurement> iterations) {
        List<Measurement> calm =
                iterations.stream().filter(iteration -> !iteration.disturbed).toList();
        List<Measurement> counted = calm.isEmpty() ? iterations : calm;
        return new Measurement(
                median(counted, Measurement::nanos),
                median(counted, Measurement::bytes),
                median(counted, Measurement::processorNanos),
                calm.isEmpty());
    }

    private static double median(List<Measurement> iterations, ToDoubleFunction<Measurement> quantity) {
        double[] sorted = iterations.stream().mapToDouble(quantity).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    String showNanos() {
        return (disturbed ? "~" : "") + Numbers.show(nanos);
    }

    String showProcessorNanos() {
        return Numbers.show(processorNanos);
    }

    String showBytes() {
        return Numbers.show(Math.rint(bytes));
    }
}

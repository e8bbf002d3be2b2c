package io.tidegate.lab.play;

import java.util.List;

/**
 * What happens to a service, second by second.
 *
 * @param phases one after the other
 */
record LoadScript(List<Phase> phases) {
    /**
     * Some seconds in which nothing changes.
     *
     * @param name its name on the page
     * @param seconds how long it is
     * @param offered calls a second
     * @param failures how many of 100 calls fail
     * @param latencyMillis how long the service works on one
     */
    record Phase(String name, int seconds, int offered, int failures, int latencyMillis) {}

    static final LoadScript USUAL = new LoadScript(List.of(
            new Phase("calm", 3, 20, 0, 100),
            new Phase("overload", 6, 100, 0, 100),
            new Phase("calm", 5, 20, 0, 100),
            new Phase("brown-out", 5, 20, 80, 500),
            new Phase("calm", 6, 20, 0, 100)));

    LoadScript {
        phases = List.copyOf(phases);
    }

    int seconds() {
        return phases.stream().mapToInt(Phase::seconds).sum();
    }

    int calls() {
        return phases.stream().mapToInt(phase -> phase.seconds * phase.offered).sum();
    }

    Phase at(int second) {
        int end = 0;
        for (Phase phase : phases) {
            end += phase.seconds;
            if (second < end) {
                return phase;
            }
        }
        throw new IndexOutOfBoundsException("second: " + second + " (expected: below " + seconds() + ")");
    }
}

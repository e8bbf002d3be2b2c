package io.tidegate.testkit;

import java.util.List;

/**
 * A promise that leases broke.
 *
 * @param step the operation that no order of the operations explains, with its answer
 * @param promise which promise
 * @param why what is wrong, in plain words
 * @param story the operations that are needed to show it, with their answers, in the order of their calls; the last one
 *     to return is the step
 */
public record LeaseBreach(String step, LeasePromise promise, String why, List<String> story) {
    public LeaseBreach {
        story = List.copyOf(story);
    }

    @Override
    public String toString() {
        return step + " breaks " + promise + ": " + why + "\n  " + String.join("\n  ", story);
    }
}

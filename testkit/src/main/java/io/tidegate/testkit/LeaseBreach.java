package io.tidegate.testkit;

/**
 * A promise that leases broke.
 *
 * @param step the operation that no order of the operations explains, with its answer
 * @param promise which promise
 * @param why what is wrong, in plain words
 */
public record LeaseBreach(String step, LeasePromise promise, String why) {
    @Override
    public String toString() {
        return step + " breaks " + promise + ": " + why;
    }
}

package io.tidegate.retry.lincheck;

/** What {@link Spending} answers when one thread does one thing after the other. */
public class SpendingSpecification {
    private int balance;

    public void onFirst() {
        balance++;
    }

    public boolean tryRetry() {
        if (balance == 0) {
            return false;
        }
        balance--;
        return true;
    }
}

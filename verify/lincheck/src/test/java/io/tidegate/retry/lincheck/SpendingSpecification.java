package io.tidegate.retry.lincheck;

/** The answers of {@link Spending} if one thread does one operation after the other. */
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

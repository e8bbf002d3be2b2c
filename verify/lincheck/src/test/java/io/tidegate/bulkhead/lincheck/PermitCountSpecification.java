package io.tidegate.bulkhead.lincheck;

/** The answers of {@link PermitCount} if one thread does one operation after the other. */
public class PermitCountSpecification {
    /*
     * A customer takes its steps one at a time, under the customer's monitor. So entering takes effect when the permit
     * is taken, or at the instant at which none was left, and leaving when the permit comes back.
     */
    private final int limit = Setting.limit;
    private final boolean[] inside = new boolean[3];

    public boolean enter(int customer) {
        if (inside[customer] || available() == 0) {
            return false;
        }
        inside[customer] = true;
        return true;
    }

    public boolean leave(int customer) {
        boolean wasInside = inside[customer];
        inside[customer] = false;
        return wasInside;
    }

    public int inFlight() {
        int count = 0;
        for (boolean in : inside) {
            count += in ? 1 : 0;
        }
        return count;
    }

    public int available() {
        return limit - inFlight();
    }
}

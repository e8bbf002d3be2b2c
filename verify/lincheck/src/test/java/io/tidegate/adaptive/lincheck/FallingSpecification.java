package io.tidegate.adaptive.lincheck;

/** The answers of {@link FallingLimit} if one thread does one operation after the other. */
public class FallingSpecification {
    private static final double CUT = 0.7;

    private final boolean[] in = {true, true, false};
    private final boolean[] timedOut = new boolean[3];
    private double exact = FallingLimit.START;

    public boolean enter(int caller) {
        if (in[caller] || inFlight() >= limit()) {
            return false;
        }
        in[caller] = true;
        timedOut[caller] = false;
        return true;
    }

    public boolean timeOut(int caller) {
        if (!in[caller] || timedOut[caller]) {
            return false;
        }
        timedOut[caller] = true;
        exact = Math.max(1, exact * CUT);
        return true;
    }

    public boolean leave(int caller) {
        boolean was = in[caller];
        in[caller] = false;
        return was;
    }

    /** From 3 both algorithms fall to 2 and to 1, whether or not they keep the fraction. */
    public int limit() {
        return (int) exact;
    }

    private int inFlight() {
        int out = 0;
        for (boolean each : in) {
            out += each ? 1 : 0;
        }
        return out;
    }
}

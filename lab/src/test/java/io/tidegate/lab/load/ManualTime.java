package io.tidegate.lab.load;

/** Moves by sleeping alone. Starts shortly before the clock overflows, as a monotonic clock may. */
public final class ManualTime implements Time {
    public static final long START = Long.MAX_VALUE - 500_000_000;

    private long now = START;

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public void sleep(long nanos) {
        now += nanos;
    }
}

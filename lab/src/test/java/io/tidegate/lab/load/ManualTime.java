package io.tidegate.lab.load;

/** A clock that moves only when a thread sleeps. Starts shortly before it overflows, as a monotonic clock may. */
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

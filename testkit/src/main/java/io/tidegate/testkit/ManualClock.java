package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A wall clock that moves only by hand, backwards too. Thread-safe; clocks {@link #withZone with another zone} move
 * along.
 */
public final class ManualClock extends Clock {
    private final AtomicReference<Instant> now;
    private final ZoneId zone;

    /** Makes a clock at the epoch, in UTC. */
    public ManualClock() {
        this(new AtomicReference<>(Instant.EPOCH), ZoneOffset.UTC);
    }

    private ManualClock(AtomicReference<Instant> now, ZoneId zone) {
        this.now = now;
        this.zone = zone;
    }

    /** Moves the clock by a span, which may be negative. */
    public void advance(Duration span) {
        now.updateAndGet(instant -> instant.plus(span));
    }

    /** Moves the clock to an instant. */
    public void set(Instant instant) {
        now.set(requireNonNull(instant, "instant"));
    }

    @Override
    public Instant instant() {
        return requireNonNull(now.get());
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(now, requireNonNull(other, "other"));
    }
}

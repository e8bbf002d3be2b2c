package io.tidegate.jcstress.rate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.rate.RateLimiter;
import io.tidegate.rate.broken.LimiterFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** RL-1, RL-2: two tries, each of which finds that the time in the packed word has run out. */
@JCStressTest
@Description("RL-1, RL-2: tryAcquire | tryAcquire with the word at its end and one permit left. Whether each was "
        + "admitted, and one more at the end.")
@Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "The first was quicker.")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "The second was quicker.")
@Outcome(expect = FORBIDDEN, desc = "A permit too many, or one lost.")
@State
public class RenewalVersusRenewal {
    private final AtomicLong now = new AtomicLong();
    private final RateLimiter limiter;

    public RenewalVersusRenewal() {
        this(LimiterFactory.TIDEGATE);
    }

    protected RenewalVersusRenewal(LimiterFactory factory) {
        limiter = factory.create(1_234_567_890_123L, Duration.ofDays(1), 1, Duration.ZERO, now::get, null);
        limiter.tryAcquire();
        now.set(Duration.ofMinutes(1).toNanos());
    }

    @Actor
    public void first(ZZZ_Result result) {
        result.r1 = limiter.tryAcquire();
    }

    @Actor
    public void second(ZZZ_Result result) {
        result.r2 = limiter.tryAcquire();
    }

    @Arbiter
    public void look(ZZZ_Result result) {
        result.r3 = limiter.tryAcquire();
    }
}

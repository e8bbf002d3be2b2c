package io.tidegate.jcstress.bulkhead;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.bulkhead.broken.BulkheadFactory;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/**
 * AB-10, AB-12, AB-13: the caller cancels while the operation completes and the caller fails the future.
 *
 * <p>jcstress gives each actor a core of its own and leaves out what does not fit, so two actors share the three ends.
 * A coin picks which of its two the second actor tries first: each end can win.
 */
@JCStressTest
@Description("AB-10, AB-12, AB-13: cancel | operation completes, caller fails the future, in either order. "
        + "Kinds reported to the listener, final state, in flight at the end.")
@Outcome(id = "SUCCESS, SUCCESS, 0", expect = ACCEPTABLE, desc = "The operation won; one release.")
@Outcome(id = "CANCELLED, CANCELLED, 0", expect = ACCEPTABLE, desc = "The cancelling caller won; one release.")
@Outcome(id = "FAILURE, FAILED, 0", expect = ACCEPTABLE, desc = "The failing caller won; one release.")
@Outcome(id = ", .*", expect = FORBIDDEN, desc = "AB-10: ended without a release.")
@Outcome(id = ".*\\+.*", expect = FORBIDDEN, desc = "AB-12: released twice.")
@Outcome(expect = FORBIDDEN, desc = "AB-13: reported one end, shown another.")
@State
public class ThreeEnds extends HeldPermit {
    private final boolean operationFirst = ThreadLocalRandom.current().nextBoolean();

    public ThreeEnds() {
        this(BulkheadFactory.TIDEGATE);
    }

    protected ThreeEnds(BulkheadFactory factory) {
        super(factory);
    }

    @Actor
    public void cancel() {
        returned.cancel(true);
    }

    @Actor
    public void completeAndFail() {
        if (operationFirst) {
            operation.complete("value");
        }
        returned.completeExceptionally(new IllegalStateException("the caller gave up"));
        operation.complete("value");
    }

    @Arbiter
    public void look(LLI_Result result) {
        result.r1 = releases.reported();
        result.r2 = returned.state();
        result.r3 = bulkhead.inFlight();
    }
}

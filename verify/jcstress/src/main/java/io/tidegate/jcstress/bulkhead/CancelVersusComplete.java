package io.tidegate.jcstress.bulkhead;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.bulkhead.broken.BulkheadFactory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** AB-12, AB-13: the caller cancels while the operation completes. */
@JCStressTest
@Description(
        "AB-12, AB-13: cancel | operation completes. Kinds that the listener got, final state, in flight at the end.")
@Outcome(id = "SUCCESS, SUCCESS, 0", expect = ACCEPTABLE, desc = "The operation won; one release.")
@Outcome(id = "CANCELLED, CANCELLED, 0", expect = ACCEPTABLE, desc = "The caller won; one release.")
@Outcome(
        id = {"SUCCESS, CANCELLED, .*", "CANCELLED, SUCCESS, .*"},
        expect = FORBIDDEN,
        desc = "AB-13: reported one end, shown the other.")
@Outcome(id = ".*\\+.*", expect = FORBIDDEN, desc = "AB-12: released twice.")
@Outcome(expect = FORBIDDEN, desc = "AB-12: not ended, not reported, or a permit lost.")
@State
public class CancelVersusComplete extends HeldPermit {
    public CancelVersusComplete() {
        this(BulkheadFactory.TIDEGATE);
    }

    protected CancelVersusComplete(BulkheadFactory factory) {
        super(factory);
    }

    @Actor
    public void cancel() {
        returned.cancel(true);
    }

    @Actor
    public void complete() {
        operation.complete("value");
    }

    @Arbiter
    public void look(LLI_Result result) {
        result.r1 = releases.reported();
        result.r2 = returned.state();
        result.r3 = bulkhead.inFlight();
    }
}

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
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** AB-10, AB-12, AB-14: the caller obtrudes a value while the operation completes. */
@JCStressTest
@Description("AB-10, AB-12, AB-14: caller obtrudes | operation completes. In flight as each of them sees it when the "
        + "future is done, kinds reported to the listener, in flight at the end.")
@Outcome(id = "0, 0, SUCCESS, 0", expect = ACCEPTABLE, desc = "Both saw the end and the place free; one release.")
@Outcome(id = "0, open, SUCCESS, 0", expect = ACCEPTABLE, desc = "The obtruder had not shown its end yet; one release.")
@Outcome(
        id = {"1, .*", ".*, 1, .*, .*"},
        expect = FORBIDDEN,
        desc = "AB-14: seen as done while its place was taken.")
@Outcome(id = ".*\\+.*", expect = FORBIDDEN, desc = "AB-12: released twice.")
@Outcome(expect = FORBIDDEN, desc = "AB-10: a place lost.")
@State
public class ObtrudeVersusComplete extends HeldPermit {
    public ObtrudeVersusComplete() {
        this(BulkheadFactory.TIDEGATE);
    }

    protected ObtrudeVersusComplete(BulkheadFactory factory) {
        super(factory);
    }

    @Actor
    public void obtrude(LLLL_Result result) {
        returned.obtrudeValue("obtruded");
        result.r1 = inFlightIfDone();
    }

    @Actor
    public void complete(LLLL_Result result) {
        operation.complete("value");
        result.r2 = inFlightIfDone();
    }

    private Object inFlightIfDone() {
        return returned.isDone() ? bulkhead.inFlight() : "open";
    }

    @Arbiter
    public void look(LLLL_Result result) {
        result.r3 = releases.reported();
        result.r4 = bulkhead.inFlight();
    }
}

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
import org.openjdk.jcstress.infra.results.III_Result;

/** AB-3: two submissions for one permit. */
@JCStressTest
@Description("AB-3: submit | submit at limit 1. Admissions of each, most in flight seen inside a supplier.")
@Outcome(
        id = {"1, 0, 1", "0, 1, 1"},
        expect = ACCEPTABLE,
        desc = "One was admitted.")
@Outcome(id = "1, 1, .*", expect = FORBIDDEN, desc = "Both were admitted.")
@Outcome(id = "0, 0, .*", expect = FORBIDDEN, desc = "Both were refused by an empty bulkhead.")
@Outcome(expect = FORBIDDEN, desc = "A supplier ran above the limit.")
@State
public class SubmitVersusSubmit extends Submitters {
    public SubmitVersusSubmit() {
        this(BulkheadFactory.TIDEGATE);
    }

    protected SubmitVersusSubmit(BulkheadFactory factory) {
        super(factory, 1);
    }

    @Actor
    public void first(III_Result result) {
        result.r1 = submit();
    }

    @Actor
    public void second(III_Result result) {
        result.r2 = submit();
    }

    @Arbiter
    public void look(III_Result result) {
        result.r3 = peak();
    }
}

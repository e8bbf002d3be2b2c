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

/** AB-3: three submissions for two permits, on two threads, since a race must fit on two cores. */
@JCStressTest
@Description("AB-3: submit twice | submit, at limit 2. Admissions of each, most in flight seen inside a supplier.")
@Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "Each got one of the two places.")
@Outcome(id = "2, 0, 2", expect = ACCEPTABLE, desc = "The first got both places.")
@Outcome(id = "2, 1, .*", expect = FORBIDDEN, desc = "Three were admitted.")
@Outcome(id = ".*, .*, 3", expect = FORBIDDEN, desc = "A supplier ran above the limit.")
@Outcome(expect = FORBIDDEN, desc = "Refused while a place was free.")
@State
public class ThreeSubmits extends Submitters {
    public ThreeSubmits() {
        this(BulkheadFactory.TIDEGATE);
    }

    protected ThreeSubmits(BulkheadFactory factory) {
        super(factory, 2);
    }

    @Actor
    public void twice(III_Result result) {
        result.r1 = submit() + submit();
    }

    @Actor
    public void once(III_Result result) {
        result.r2 = submit();
    }

    @Arbiter
    public void look(III_Result result) {
        result.r3 = peak();
    }
}

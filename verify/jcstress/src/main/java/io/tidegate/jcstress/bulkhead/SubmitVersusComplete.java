package io.tidegate.jcstress.bulkhead;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.bulkhead.broken.BulkheadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/**
 * AB-3, AB-4, AB-6, AB-14: the operation that holds the only permit completes while another one is submitted. The
 * submitter may first check, up to a few times, whether the holder is done: if it is, there must be no refusal.
 */
@JCStressTest
@Description("AB-3, AB-4, AB-6, AB-14: operation completes | look whether it is done, then submit, at limit 1. "
        + "What was seen, the answer, runs of the supplier, in flight at the end.")
@Outcome(id = "open, refused, 0, 0", expect = ACCEPTABLE, desc = "Submitted before the place was free.")
@Outcome(
        id = "open, admitted, 1, 1",
        expect = ACCEPTABLE,
        desc = "The place became free between the look and the submit.")
@Outcome(id = "done, admitted, 1, 1", expect = ACCEPTABLE, desc = "Seen as done, so the place was free.")
@Outcome(id = "done, refused, .*", expect = FORBIDDEN, desc = "AB-14: refused after the end was seen.")
@Outcome(id = ".*, refused, 1, .*", expect = FORBIDDEN, desc = "AB-4: refused, yet the supplier ran.")
@Outcome(id = ".*, admitted, 0, .*", expect = FORBIDDEN, desc = "AB-6: admitted, yet the supplier did not run.")
@Outcome(expect = FORBIDDEN, desc = "AB-3: in flight at the end does not match the answer.")
@State
public class SubmitVersusComplete extends HeldPermit {
    private final AtomicInteger runs = new AtomicInteger();
    private final int patience = ThreadLocalRandom.current().nextInt(100);

    public SubmitVersusComplete() {
        this(BulkheadFactory.TIDEGATE);
    }

    protected SubmitVersusComplete(BulkheadFactory factory) {
        super(factory);
        var unused = returned.thenRun(SubmitVersusComplete::linger);
    }

    /**
     * A slow continuation makes every step that the bulkhead takes after the end is visible late enough to be caught.
     */
    private static void linger() {
        for (int spins = 0; spins < 100; spins++) {
            Thread.onSpinWait();
        }
    }

    @Actor
    public void complete() {
        operation.complete("value");
    }

    @Actor
    public void submit(LLLL_Result result) {
        for (int looks = 0; looks < patience && !returned.isDone(); looks++) {
            Thread.onSpinWait();
        }
        result.r1 = returned.isDone() ? "done" : "open";
        CompletionStage<String> next = bulkhead.submit(() -> {
            runs.incrementAndGet();
            return new CompletableFuture<>();
        });
        result.r2 = next.toCompletableFuture().isDone() ? "refused" : "admitted";
    }

    @Arbiter
    public void look(LLLL_Result result) {
        result.r3 = runs.get();
        result.r4 = bulkhead.inFlight();
    }
}

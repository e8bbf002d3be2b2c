package io.tidegate.bulkhead.lincheck;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answers of {@link Submissions} if one thread does one operation after the other. */
public class SubmissionsSpecification {
    /*
     * The first slot is in flight from the start. A slot is admitted at most once; a refused one may try again. The
     * first of complete, fail, cancel and finish on an admitted slot ends it, and each of them, first or late, answers
     * how it ended. On a slot that was not admitted they do nothing and answer null.
     *
     * Why a correct bulkhead is linearizable to this, and why a wrong one is not:
     *
     * The thread that wins a race of ends takes four steps: it decides, gives the permit back, calls the listener, and
     * publishes the end. The contract promises the order of these steps, not that they are one instant. One step has to
     * stand for all of them, and that is the return of the permit: submit and inFlight depend on no other step, and
     * each is exact at one instant. Where the contract does not tie another step to this one, the subject must hide
     * that step:
     *
     * A late end may return between the winner's decision and the return of the permit: the contract does not make it
     * wait. So the subject waits instead, until the returned future is done. By then the permit must be back (AB-14:
     * the same thread's next submit or inFlight shows it) and the listener called (AB-17: the answer shows it). A
     * publication that comes too early gives a wrong answer; a late one only makes the subject wait.
     *
     * Whether a future is done is not an answer by itself: "not yet" is right even after the permit was seen to be
     * back. The future's state is part of the answer of operations that waited. All of them must name the same end, and
     * the listener must have been called once, for this end (AB-12, AB-13).
     *
     * Callers have a future to end only when submit has returned, which is later than the take of the permit. So an end
     * waits for a submit of its slot that is under way. EndsDuringSubmit checks ends that do not wait.
     */
    private final int limit = Setting.limit;
    private final boolean[] admitted = {true, false, false};
    private final @Nullable End[] ends = {null, null, null};

    public Admission submit(int slot) {
        if (admitted[slot]) {
            return Admission.USED;
        }
        if (inFlight() == limit) {
            return Admission.REFUSED;
        }
        admitted[slot] = true;
        return Admission.ADMITTED;
    }

    public @Nullable Ending complete(int slot) {
        return end(slot, End.COMPLETED);
    }

    public @Nullable Ending fail(int slot) {
        return end(slot, End.FAILED);
    }

    public @Nullable Ending cancel(int slot) {
        return end(slot, End.CANCELLED);
    }

    public @Nullable Ending finish(int slot) {
        return end(slot, End.FINISHED);
    }

    private @Nullable Ending end(int slot, End end) {
        if (!admitted[slot]) {
            return null;
        }
        End first = ends[slot] == null ? end : ends[slot];
        ends[slot] = first;
        return new Ending(first, List.of(first.kind));
    }

    public int inFlight() {
        int open = 0;
        for (int slot = 0; slot < ends.length; slot++) {
            if (admitted[slot] && ends[slot] == null) {
                open++;
            }
        }
        return open;
    }
}

package io.tidegate.bulkhead.lincheck;

import org.jspecify.annotations.Nullable;

/** What {@link OperationSubmissions} answers: the same, but that the returned future has no say in it. */
public class OperationSpecification extends SubmissionsSpecification {
    /*
     * The end of the operation gives the permit back, tells the listener, and then ends the returned future if that is
     * still open. In between a caller may still win the returned future, even one that has seen the permit back. So the
     * way in which the returned future ends is part of no answer, and ending it changes none (AB-11).
     */
    @Override
    public @Nullable Ending cancel(int slot) {
        return null;
    }

    @Override
    public @Nullable Ending finish(int slot) {
        return null;
    }
}

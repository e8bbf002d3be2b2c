package io.tidegate.bulkhead.lincheck;

import org.jspecify.annotations.Nullable;

/**
 * The answers of {@link OperationSubmissions}: those of the base class, except that ends of the returned future count
 * for nothing.
 */
public class OperationSpecification extends SubmissionsSpecification {
    /*
     * The end of the operation gives the permit back, calls the listener, and then ends the returned future if that is
     * still open. Before that last step a caller may still end the returned future, even a caller that has seen the
     * permit back. So no answer contains the way in which the returned future ends, and ending it changes no answer
     * (AB-11).
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

package io.tidegate.lease.lincheck;

import io.tidegate.lease.ReferenceLease;

/** What {@link Offsets} answer when one thread does one thing after the other. */
public class OffsetsSpecification extends Offsets {
    public OffsetsSpecification() {
        super(ReferenceLease::new);
    }
}

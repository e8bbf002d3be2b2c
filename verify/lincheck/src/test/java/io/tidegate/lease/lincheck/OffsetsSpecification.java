package io.tidegate.lease.lincheck;

import io.tidegate.lease.ReferenceLease;

/** The answers of {@link Offsets} if one thread does one operation after the other. */
public class OffsetsSpecification extends Offsets {
    public OffsetsSpecification() {
        super(ReferenceLease::new);
    }
}

package io.tidegate.slice;

/** The settings of a bulkhead whose cap may be a slice of a greater one. */
public interface Sliceable {
    /** The bulkhead is a {@link SlicedBulkhead}, and has a cap of 0 until its lease is renewed for the first time. */
    void slice(SliceLease lease);
}

package io.tidegate.slice;

/** The settings of a bulkhead whose cap may be a slice of a greater one. */
public interface Sliceable {
    /** Makes the bulkhead a {@link SlicedBulkhead}, whose cap is 0 until its lease is renewed for the first time. */
    void slice(SliceLease lease);
}

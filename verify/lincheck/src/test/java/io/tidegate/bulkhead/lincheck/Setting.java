package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.broken.BulkheadFactory;

/** The bulkhead that the running check is about. Static, since Lincheck makes its objects without arguments. */
final class Setting {
    static BulkheadFactory factory = BulkheadFactory.TIDEGATE;
    static int limit = 1;

    private Setting() {}
}

package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.broken.BulkheadFactory;

/** The bulkhead of the running check. Static, because Lincheck makes its objects without arguments. */
final class Setting {
    static BulkheadFactory factory = BulkheadFactory.TIDEGATE;
    static int limit = 1;

    private Setting() {}
}

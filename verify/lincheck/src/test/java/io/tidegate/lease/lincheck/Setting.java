package io.tidegate.lease.lincheck;

import io.tidegate.lease.broken.LeaseFactory;

/** The leases of the running check. Static, because Lincheck makes its objects without arguments. */
final class Setting {
    static LeaseFactory factory = LeaseFactory.TIDEGATE;
    static boolean startsLeased = true;

    private Setting() {}
}

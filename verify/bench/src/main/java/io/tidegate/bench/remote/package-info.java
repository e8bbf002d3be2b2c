/** The remote bulkhead, measured. */
@NullMarked
package io.tidegate.bench.remote;

import org.jspecify.annotations.NullMarked;

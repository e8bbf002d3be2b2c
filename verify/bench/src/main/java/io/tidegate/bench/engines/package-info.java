/** The work lease on engines outside the process, measured. */
@NullMarked
package io.tidegate.bench.engines;

import org.jspecify.annotations.NullMarked;

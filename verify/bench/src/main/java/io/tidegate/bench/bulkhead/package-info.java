/** The async bulkhead, measured. */
@NullMarked
package io.tidegate.bench.bulkhead;

import org.jspecify.annotations.NullMarked;

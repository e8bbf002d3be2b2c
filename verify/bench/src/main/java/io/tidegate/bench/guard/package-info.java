/** Parts around one call: a guard beside the same parts by hand and the compositions of other libraries. */
@NullMarked
package io.tidegate.bench.guard;

import org.jspecify.annotations.NullMarked;

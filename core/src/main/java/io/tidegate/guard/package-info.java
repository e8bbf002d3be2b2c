/** The parts around one call: {@link io.tidegate.guard.Guard}. */
@NullMarked
package io.tidegate.guard;

import org.jspecify.annotations.NullMarked;

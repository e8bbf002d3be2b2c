/** Races on the guard's time limit. */
@NullMarked
package io.tidegate.jcstress.guard;

import org.jspecify.annotations.NullMarked;

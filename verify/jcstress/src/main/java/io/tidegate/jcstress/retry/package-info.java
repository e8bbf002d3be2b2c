/** Races on the retry budget. */
@NullMarked
package io.tidegate.jcstress.retry;

import org.jspecify.annotations.NullMarked;

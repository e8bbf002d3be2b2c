/** Hundreds of processes on one engine, in virtual time: behind {@code ./tidegate scale}. */
@NullMarked
package io.tidegate.scale;

import org.jspecify.annotations.NullMarked;

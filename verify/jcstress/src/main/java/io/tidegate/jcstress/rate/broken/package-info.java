/**
 * The races on a broken limiter: each must show a forbidden outcome. They inherit their tables; actors and arbiter are
 * repeated because jcstress does not look for them in superclasses.
 */
@NullMarked
package io.tidegate.jcstress.rate.broken;

import org.jspecify.annotations.NullMarked;

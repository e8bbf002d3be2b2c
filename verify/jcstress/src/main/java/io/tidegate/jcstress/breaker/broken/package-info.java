/**
 * The races on broken breakers: each must show a forbidden outcome. One class for each variant of the
 * SeparateAtomicsBreaker, named like the variant, with the races that catch it. They inherit their tables; actors and
 * arbiter are repeated because jcstress does not look for them in superclasses.
 */
@NullMarked
package io.tidegate.jcstress.breaker.broken;

import org.jspecify.annotations.NullMarked;

/**
 * The races on broken bulkheads: each must show a forbidden outcome. One class for each fault, named after it, with the
 * races that catch it. They inherit their tables; actors and arbiter are repeated because jcstress does not look for
 * them in superclasses.
 */
@NullMarked
package io.tidegate.jcstress.bulkhead.broken;

import org.jspecify.annotations.NullMarked;

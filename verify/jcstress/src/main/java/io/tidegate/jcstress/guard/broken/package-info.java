/**
 * The races on broken limits: each must show a forbidden outcome. They inherit their tables; actors and arbiter are
 * repeated because jcstress does not look for them in superclasses.
 */
@NullMarked
package io.tidegate.jcstress.guard.broken;

import org.jspecify.annotations.NullMarked;

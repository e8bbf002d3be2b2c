/**
 * The page people play with: a real service and real load, what protects it, and tours that explain it.
 *
 * <p>Start at {@link io.tidegate.lab.play.Playground}.
 */
@NullMarked
package io.tidegate.lab.play;

import org.jspecify.annotations.NullMarked;

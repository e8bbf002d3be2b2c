/**
 * The adaptive limit: bulkheads whose limit follows what the callee can carry.
 *
 * <p>Start at {@link io.tidegate.adaptive.AdaptiveLimit}.
 */
@NullMarked
package io.tidegate.adaptive;

import org.jspecify.annotations.NullMarked;

/**
 * The adaptive limit: bulkheads whose limit follows what the callee can handle.
 *
 * <p>Start at {@link io.tidegate.adaptive.AdaptiveLimit}.
 */
@NullMarked
package io.tidegate.adaptive;

import org.jspecify.annotations.NullMarked;

/**
 * The lab: scenes that show on a real service under real load what the parts of Tidegate are for.
 *
 * <p>Start at {@link io.tidegate.lab.Lab}. Each scene has a folder of its own, with its plan, its load, its log, its
 * chart and its report, as far as it has them: {@code bulkhead}, {@code adaptive}, {@code breaker}, {@code guard},
 * {@code remote}, {@code groups}, and {@code orders} for the lease. What they share is in {@code load} and
 * {@code print}. The page, its tours and the comparison are in {@code play}.
 */
@NullMarked
package io.tidegate.lab;

import org.jspecify.annotations.NullMarked;

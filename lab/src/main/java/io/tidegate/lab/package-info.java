/**
 * The lab: scenes that show on a real service under real load what the parts of Tidegate are for.
 *
 * <p>Start at {@link io.tidegate.lab.Lab}.
 */
@NullMarked
package io.tidegate.lab;

import org.jspecify.annotations.NullMarked;

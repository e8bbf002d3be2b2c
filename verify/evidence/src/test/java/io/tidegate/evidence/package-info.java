/** Whether a rule that does not hold is found. */
@NullMarked
package io.tidegate.evidence;

import org.jspecify.annotations.NullMarked;

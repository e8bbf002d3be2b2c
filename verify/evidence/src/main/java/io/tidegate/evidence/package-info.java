/** The commands {@code ./tidegate evidence} and {@code ./tidegate audit}. */
@NullMarked
package io.tidegate.evidence;

import org.jspecify.annotations.NullMarked;

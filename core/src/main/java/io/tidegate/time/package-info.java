/** When things are due, for the parts that wait. Not exported. */
@NullMarked
package io.tidegate.time;

import org.jspecify.annotations.NullMarked;

/** How a call goes into a part and out of it, for parts that are layered around others. Not exported. */
@NullMarked
package io.tidegate.gate;

import org.jspecify.annotations.NullMarked;

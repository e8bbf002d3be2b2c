/** A live page of the parts of a {@link io.tidegate.Registry}, and their control. */
@NullMarked
package io.tidegate.console;

import org.jspecify.annotations.NullMarked;

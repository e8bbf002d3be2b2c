/** A page of the lab's own inside the console; not exported. */
@NullMarked
package io.tidegate.console.panel;

import org.jspecify.annotations.NullMarked;
